"""Story lines of quality: a batch that is fetched back, and a customer who comes to look."""

from __future__ import annotations

from benchmarks.office.ledger import DAY, Meeting, Note, ToDo
from benchmarks.office.people import OWNER
from benchmarks.office.stage import Stage

__all__ = ("audit", "recall")


def recall(stage: Stage) -> None:
    """Wet units come back, a batch is recalled: by an upper bound first, then by what slips of paper say."""
    rng = stage.rng("terms")
    regular, client = 19, 12
    rest = rng.randrange(24, 40)
    stage.fact("affected", "count", 2 * (regular + client + rest) + rng.randrange(8, 30))
    stage.change("affected", 2, regular + client + rest)
    stage.fact("cost", "money", rng.randrange(2600, 4900, 20))
    stage.date("done", 11)
    last = stage.day(18)
    stage.change("done", 9, last)
    stage.date("sealed", -9)
    stage.file(
        2,
        "qa",
        "/workspace/quality/soft_seal_list.csv",
        name="list",
        at="14:20",
        text="customer,rooms,units,sealed on\n"
        f"{{office.regular}},4,{regular},{{sealed:iso}}\n{{office.client}},3,{client},{{sealed:iso}}\n"
        f"others,11,{rest},{{sealed:iso}}\nsum,,{{affected}},\n",
    )
    stage.file(
        19,
        "qa",
        "/workspace/quality/sealing_procedure.md",
        name="procedure",
        at="16:10",
        text="# Sealing\n\n1. Write the number of the drum on the slip.\n"
        "2. Seal within the hour in which it is opened.\n"
        "3. One unit a shift goes under water for ten minutes.\n4. A wet unit stops the line; ring {@@qa}.\n",
    )
    stage.play("recall")
    stage.add(
        Meeting,
        stage.moment("d0@12:20", "cto"),
        "cto",
        title="Soft seals: who does what",
        starts=stage.moment("d1@13:00", "cto"),
        minutes=45,
        place="Small room",
        people=(("qa", "accepted"), ("firmware", "accepted"), ("support", "accepted"), ("coo", "tentative")),
        text="List, replacements, one voice to customers.",
    )
    main = stage.add(
        ToDo,
        stage.moment("d2@16:00", OWNER),
        OWNER,
        text="Fetch back all units with the soft seal",
        project="Operations",
        due=last,
        done=last * DAY + 17 * 60,
        assignee="logistics",
        priority=1,
        labels=("recall",),
    )
    for text, number in (("Replacements to {office.regular}", 4), ("Replacements to {office.client}", 7)):
        stage.add(
            ToDo,
            main.at + 3,
            OWNER,
            text=text,
            project="Operations",
            due=stage.day(number),
            done=stage.day(number) * DAY + 15 * 60,
            assignee="logistics",
            parent=main.id,
        )
    stage.comment(main, "d8@16:50", "logistics", "Two in three are here. The far site counts once a fortnight.")
    stage.comment(main, "d18@16:20", "logistics", "Last box is in, all counted.")
    stage.add(
        Note,
        stage.moment("d4@12:20", OWNER),
        OWNER,
        title="What customers asked about the seals",
        tags=("quality",),
        text="- does it measure rightly until then? (yes)\n"
        "- who pays the carrier? (we do)\n- is the newer store safe? (yes)",
    )


def audit(stage: Stage) -> None:
    """A customer audits the company: a plan, a day, three findings of which one falls, a week more for answers."""
    for name, number in (("visit", 16), ("scale", 17), ("answers", 35)):
        stage.date(name, number)
    stage.change("answers", 22, stage.day(42))
    stage.fact("findings", "count", 3)
    stage.change("findings", 22, 2)
    stage.file(
        8,
        OWNER,
        "/workspace/quality/audit/plan_{visit:file}.md",
        name="plan",
        at="13:40",
        text="# Audit by {office.regular}, {visit:full}\n\n"
        "- first hour: calibration, {@qa}\n- second: goods in, {@planner}\n"
        "- after lunch: complaints, {@support}\n- last: release of batches, {@qa} and {@firmware}\n",
    )
    trained = [stage.ledger.company.person(key) for key in ("planner", "logistics", "facility", "it")]
    stage.date("trained", 9)
    stage.file(
        10,
        "hr",
        "/workspace/quality/audit/training_record.csv",
        name="training",
        at="11:20",
        text="name,course,day,there\n" + "".join(f"{each.name},goods in,{{trained:iso}},yes\n" for each in trained),
    )
    stage.file(
        36,
        OWNER,
        "/workspace/quality/audit/answers.csv",
        name="answers",
        at="17:05",
        text="finding,cause,remedy,who,until\nscale without sticker,nobody kept the list,list at the scale,{@@planner},"
        "{answers:iso}\ncomplaint without cause,closed in a hurry,second reader,{@@qa},{answers:iso}\n",
    )
    stage.play("audit")
    stage.add(
        Meeting,
        stage.moment("d2@15:10", OWNER),
        OWNER,
        title="Audit by {office.regular}",
        starts=stage.moment("d16@09:00", OWNER),
        minutes=7 * 60,
        place="Large room",
        people=(("regular", "accepted"), ("qa", "accepted"), ("planner", "accepted"), ("am1", "tentative")),
        text="Clean desks, honest answers.",
    )
    stage.add(
        Meeting,
        stage.moment("d8@14:20", OWNER),
        OWNER,
        title="Audit, dress rehearsal",
        starts=stage.moment("d14@15:30", OWNER),
        minutes=60,
        place="Large room",
        people=(("qa", "accepted"), ("planner", "accepted"), ("logistics", "accepted"), ("hr", "declined")),
        text="Somebody plays the auditor. Not {@logistics} again.",
    )
    main = stage.add(
        ToDo,
        stage.moment("d22@11:00", OWNER),
        OWNER,
        text="Answers to the audit",
        project="Operations",
        due=stage.day(40),
        done=stage.day(37) * DAY + 11 * 60,
        priority=2,
        labels=("audit",),
    )
    for text, who, number in (("Scale: list and sticker", "planner", 24), ("Cause of the open complaint", "", 35)):
        stage.add(
            ToDo,
            main.at + 5,
            OWNER,
            text=text,
            project="Operations",
            due=stage.day(number),
            done=stage.day(number) * DAY + 14 * 60,
            assignee=who,
            parent=main.id,
            labels=("audit",),
        )
    stage.comment(main, "d23@10:10", OWNER, "Day was put back to {answers}. The certificate abroad is off the list.")
