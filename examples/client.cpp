// A simulator in C++ as a runner of `mmasmt check --runner`: it reads lines `c a0,... b0,...` and writes d for each.
// It adds the exact products to c one after the other in float, which is what `sfma:fmt=f32` does, and no tensor core.
// Build: c++ -O2 -ffp-contract=off -o client client.cpp   Check: mmasmt check sfma:fmt=f32 --runner ./client

#include <bit>
#include <cmath>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

static float number(const std::string &digits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(digits, nullptr, 16)));
}

int main() {
    std::string line;
    while (std::getline(std::cin, line)) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        std::string c, a, b, x, y;
        words >> c >> a >> b;
        std::istringstream left(a), right(b);
        float sum = number(c);
        while (std::getline(left, x, ',') && std::getline(right, y, ','))
            sum = std::fma(number(x), number(y), sum);
        const auto bits = std::isnan(sum) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(sum);
        std::cout << std::hex << std::setw(8) << std::setfill('0') << bits << std::endl;
    }
}
