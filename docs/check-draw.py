#!/usr/bin/env python3
"""Checks the draw of a waiting room, and computes the place of a ticket.

    check-draw.py COMMITMENT ROOM.json NUMBER

COMMITMENT is the one that was published before the opening, ROOM.json the document of the room after it, and NUMBER
that of a ticket. Prints the place; ends with exit status 1 and a message if the draw is not the one that was promised.

The order is the swap-or-not shuffle of Ethereum's consensus specification (compute_shuffled_index), with SHA-256 and
90 rounds:
https://github.com/ethereum/consensus-specs/blob/master/specs/phase0/beacon-chain.md#compute_shuffled_index
"""

import hashlib
import json
import sys

ROUNDS = 90


def sha256(data):
    return hashlib.sha256(data).digest()


def place_of(number, tickets, seed):
    """The place of a ticket, both counted from 1, among that many tickets."""
    index = number - 1
    for step in range(ROUNDS):
        round_byte = bytes([step])
        pivot = int.from_bytes(sha256(seed + round_byte)[:8], "little") % tickets
        counterpart = (pivot - index) % tickets
        decisive = max(index, counterpart)
        block = sha256(seed + round_byte + (decisive // 256).to_bytes(4, "little"))
        if block[decisive % 256 // 8] >> (decisive % 8) & 1:
            index = counterpart
    return index + 1


def main(commitment, room_file, number):
    with open(room_file, encoding="utf-8") as file:
        draw = json.load(file)["draw"]
    if "seed" not in draw:
        sys.exit("the order is not drawn yet")
    if number < 1:
        sys.exit("numbers begin with 1")
    seed = bytes.fromhex(draw["seed"])
    if sha256(seed).hex() != commitment:
        sys.exit("the seed is not the one that was promised")
    # Who joined after the draw stands behind those who were drawn.
    print(number if number > draw["tickets"] else place_of(number, draw["tickets"], seed))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
