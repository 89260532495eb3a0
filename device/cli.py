"""`headstring`: the command line."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from device.commands import (
    adjudicate,
    analyze,
    bench_eyes,
    bench_live,
    calibrate,
    commission,
    compare,
    demo,
    detect,
    doctor,
    evaluate,
    explain,
    infer,
    key,
    lab,
    label,
    match,
    plan_mount,
    rules,
    run,
    seal,
    serve,
    standings,
    store,
    train,
)
from device.terminal import plain_errors

app = typer.Typer(
    name="headstring",
    help="Watches a pool table from above, tells what happened in each shot and judges it under the league's rules.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog="Exit codes: 0 done, 1 internal error, 2 wrong usage, 3 source unreadable, 4 no table or calibration, "
    "5 damaged record, 6 cannot write, 7 goals missed (evaluate, lab, bench-eyes), 8 not fit (doctor, plan-mount, "
    "commission), 9 not as it was sealed (verify), 130 interrupted.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"headstring {version('headstring')}")
        raise typer.Exit


@app.callback()
def _root(
    show: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="show the version")] = False,
) -> None:
    del show


app.command("demo")(plain_errors(demo.command))
app.command("calibrate")(plain_errors(calibrate.command))
app.command("commission")(plain_errors(commission.command))
app.command("detect")(plain_errors(detect.command))
app.command("analyze")(plain_errors(analyze.command))
app.command("evaluate")(plain_errors(evaluate.command))
app.command("label")(plain_errors(label.command))
app.command("train")(plain_errors(train.command))
app.command("lab")(plain_errors(lab.command))
app.command("infer")(plain_errors(infer.command))
app.command("run")(plain_errors(run.command))
app.command("doctor")(plain_errors(doctor.command))
app.command("plan-mount")(plain_errors(plan_mount.command))
app.command("bench-eyes")(plain_errors(bench_eyes.command))
app.command("bench-live")(plain_errors(bench_live.command))
app.command("adjudicate")(plain_errors(adjudicate.command))
app.command("explain")(plain_errors(explain.command))
app.command("compare")(plain_errors(compare.command))
app.command("rules")(plain_errors(rules.command))
app.add_typer(match.app, name="match")
app.command("standings")(plain_errors(standings.command))
app.command("serve")(plain_errors(serve.command))
app.command("import")(plain_errors(store.import_records))
app.add_typer(store.app, name="store")
app.add_typer(key.app, name="key")
app.command("seal")(plain_errors(seal.seal))
app.command("verify")(plain_errors(seal.verify))


def main() -> None:
    app()
