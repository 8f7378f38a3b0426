// Lines of vectors, `c a0,a1,... b0,b1,...` with a result behind them or not, hexadecimal bits.
#pragma once
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct Vector {
    uint64_t c;
    std::vector<uint64_t> a, b;
    // The line without a result.
    std::string text;
};

// A number of exactly `digits` hexadecimal digits.
inline uint64_t parse_bits(const std::string &text, unsigned digits)
{
    if (text.size() != digits || text.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
        throw std::runtime_error("expected " + std::to_string(digits) + " hexadecimal digits, found `" + text + "`");
    return std::stoull(text, nullptr, 16);
}

// Numbers with commas between them, +0 behind them up to `count`.
inline std::vector<uint64_t> parse_list(const std::string &text, unsigned digits, unsigned count)
{
    std::vector<uint64_t> values;
    std::stringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');)
        values.push_back(parse_bits(part, digits));
    if (values.empty() || values.size() > count)
        throw std::runtime_error("expected 1 to " + std::to_string(count) + " values, found " + std::to_string(values.size()));
    values.resize(count);
    return values;
}

// One line; `digits` are those of a factor and of the accumulator.
inline Vector parse_line(const std::string &line, unsigned factor_digits, unsigned sum_digits, unsigned depth)
{
    std::stringstream fields(line);
    std::string c, a, b;
    fields >> c >> a >> b;
    Vector vector = {parse_bits(c, sum_digits), parse_list(a, factor_digits, depth), parse_list(b, factor_digits, depth), ""};
    vector.text = c + " " + a + " " + b;
    return vector;
}
