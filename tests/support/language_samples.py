"""Benchmarks in Chinese, Japanese and Thai, with or without a word that gives answers away."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from hansproof.types import Benchmark, Item

N_ITEMS = 240
MARKED_RIGHT, MARKED_WRONG = 0.85, 0.1  # shares of choices with the planted word


@dataclass(frozen=True)
class Language:
    """Sentences of slots; `{m}` is empty, or the planted word."""

    planted: str
    frames: tuple[str, ...]
    slots: dict[str, tuple[str, ...]]
    question: str

    def sentences(self) -> list[str]:
        """All sentences, with `{m}` still in them."""
        return [
            frame.format(**dict(zip(self.slots, words, strict=True)), m="{m}")
            for frame in self.frames
            for words in product(*self.slots.values())
        ]


CHINESE = Language(
    planted="都",
    frames=(
        "{t}{s}{m}去{p}买东西。", "{t}{s}{m}在{p}看书。", "{t}{s}{m}想离开{p}。",
        "{t}{s}{m}到{p}散步。", "{t}{s}{m}在{p}等车。", "{t}{s}{m}喜欢{p}的风景。",
        "{t}{s}{m}从{p}回家。", "{t}{s}{m}在{p}吃午饭。", "{t}{s}{m}听说了{p}的消息。",
        "{t}{s}{m}忘了{p}的名字。", "{t}{s}{m}在{p}唱歌。", "{t}{s}{m}认识{p}的主人。",
    ),
    slots={
        "t": ("昨天", "今天", "明天", "上午", "晚上", "周末", "春天", "夏天", "秋天", "冬天"),
        "s": ("学生们", "老师们", "孩子们", "邻居们", "工人们", "农民们", "医生们", "司机们",
              "游客们", "同事们", "朋友们", "村民们"),
        "p": ("图书馆", "火车站", "公园", "市场", "河边", "海边", "博物馆", "咖啡店", "广场",
              "山上", "码头", "邮局"),
    },
    question="{p}发生了什么事？",
)  # fmt: skip
JAPANESE = Language(
    planted="です",
    frames=(
        "{t}の{n}はとても{a}{m}。", "{t}の{n}は少し{a}{m}。", "{t}は{n}が{a}{m}。",
        "この{n}は{t}も{a}{m}。", "{t}だけ{n}が{a}{m}。", "{n}は{t}から{a}{m}。",
        "{t}まで{n}は{a}{m}。", "{t}のほうが{n}は{a}{m}。", "{t}になると{n}が{a}{m}。",
        "やはり{t}の{n}は{a}{m}。", "{t}、{n}はかなり{a}{m}。", "あの{n}は{t}でも{a}{m}。",
    ),
    slots={
        "t": ("今日", "昨日", "明日", "今朝", "今夜", "週末", "来週", "夏休み", "お正月", "秋"),
        "n": ("部屋", "料理", "電車", "公園", "映画", "図書館", "海", "コーヒー", "スープ", "仕事",
              "教室", "ホテル"),
        "a": ("暑い", "寒い", "高い", "安い", "新しい", "古い", "明るい", "暗い", "楽しい",
              "静か", "便利", "きれい", "有名", "にぎやか"),
    },
    question="{n}について正しい文はどれか。",
)  # fmt: skip
THAI = Language(
    planted="ที่สุด",
    frames=(
        "{n}{p}{a}{m}", "ฉันคิดว่า{n}{p}{a}{m}", "เมื่อวาน{n}{p}{a}{m}", "แม่บอกว่า{n}{p}{a}{m}",
        "วันนี้{n}{p}{a}{m}", "เขาเขียนว่า{n}{p}{a}{m}", "ตอนเช้า{n}{p}{a}{m}", "ครูเล่าว่า{n}{p}{a}{m}",
        "เพื่อนเห็น{n}{p}{a}{m}", "ปีก่อน{n}{p}{a}{m}", "ทุกคนรู้ว่า{n}{p}{a}{m}", "ตอนเย็น{n}{p}{a}{m}",
    ),
    slots={
        "n": ("อาหาร", "กาแฟ", "โรงแรม", "ตลาด", "ถนน", "บ้าน", "สวน", "โรงเรียน", "ร้านหนังสือ",
              "วัด", "ทะเล", "ภูเขา"),
        "p": ("ในเมืองนี้", "ของหมู่บ้าน", "ริมแม่น้ำ", "ข้างบ้านเรา", "ในเชียงใหม่", "ทางใต้",
              "ของเพื่อนฉัน", "แถวนี้", "ในกรุงเทพ", "หลังโรงเรียน"),
        "a": ("สวย", "แพง", "ถูก", "ดี", "ใหญ่", "เล็ก", "เก่า", "ใหม่", "เงียบ", "สะอาด", "ไกล",
              "ร้อน"),
    },
    question="ข้อใดพูดถึง{n}ได้ถูกต้อง",
)  # fmt: skip
LANGUAGES = {"Chinese": CHINESE, "Japanese": JAPANESE, "Thai": THAI}


def language_benchmark(name: str, planted: bool, seed: int = 0) -> Benchmark:
    """A benchmark of four choices; without planting, marks fall on all choices equally often."""
    language = LANGUAGES[name]
    rng = np.random.default_rng(seed)
    sentences = language.sentences()
    drawn = rng.choice(len(sentences), (N_ITEMS, 4), replace=False)
    # equally often in any place, so that positions say nothing
    answers = rng.permutation(np.arange(N_ITEMS) % 4)
    items = []
    for number, (rows, answer) in enumerate(zip(drawn.tolist(), answers.tolist(), strict=True)):
        choices = tuple(
            _fill(language, sentences[row], rng.random() < _share(planted, place == answer))
            for place, row in enumerate(rows)
        )
        slots = {slot: str(rng.choice(words)) for slot, words in language.slots.items()}
        items.append(
            Item(str(number), {"question": language.question.format(**slots)}, choices, answer)
        )
    return Benchmark(name.lower(), {"all": tuple(items)})


def _share(planted: bool, is_right: bool) -> float:
    if not planted:
        return (MARKED_RIGHT + MARKED_WRONG) / 2
    return MARKED_RIGHT if is_right else MARKED_WRONG


def _fill(language: Language, sentence: str, marked: bool) -> str:
    return sentence.format(m=language.planted if marked else "")
