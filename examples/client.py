#!/usr/bin/env python3
"""Asks mmasmt from Python: one question as JSON, then many vectors through a co-process, a line in and a line out."""
import json
import subprocess
import sys


def ask(*arguments):
    """The answer to one question as an object; an error of the program is an exception."""
    done = subprocess.run(["mmasmt", *arguments, "--json"], capture_output=True, text=True)
    answer = json.loads(done.stdout)
    if "error" in answer:
        raise ValueError(answer["error"])
    return answer


def main():
    left, right = sys.argv[1:] or ["fda:F=24", "fda:F=25"]
    answer = ask("distinguish", left, right)
    print(answer["verdict"], answer["models"])
    if not answer["witnesses"]:
        return
    line = answer["witnesses"][0]["line"]
    for model in (left, right):
        command = ["mmasmt", "eval", model, "--vectors", "-", "--json"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as unit:
            print(line, file=unit.stdin, flush=True)
            head, vector = (json.loads(unit.stdout.readline()) for _ in range(2))
            print(head["models"][0], vector["d"][0])
            unit.stdin.close()


main()
