//! DriverBench: what one unit of a program's work costs on the GL thread. One lane per process; `mobilegl bench` lays lanes side by side.
//! It measures; it knows nothing of what it measures but the C functions of OpenGL.
//!
//! Usage: `driverbench [--lane-json] [--row NAME]... [--batches N] [--units N] [--no-instructions | --instructions]`,
//! `driverbench --exactly N --row NAME` (no figures: for counting instructions from outside), or `driverbench --list [--row NAME]...`.
//! `driverbench --first-pixel N` tells the milliseconds from source to first pixel of N programs: the first, the median, the last percentile.
//! `--instructions` counts them and measures no time; `--pin` stays on one core. `--only NAME` takes the place of all rows named before.

mod first_pixel;
mod gl;
mod instructions;
mod rows;

use anyhow::{Context as _, Result, bail};
use gl::Client;
use rows::{ROWS, Row};
use serde_json::{Value, json};
use std::time::Instant;

struct Args {
    json: bool,
    rows: Vec<&'static Row>,
    batches: u32,
    units: u32,
    exactly: Option<u32>,
    instructions: bool,
    times: bool,
    pin: bool,
    list: bool,
    first_pixel: Option<u32>,
}

fn parse() -> Result<Args> {
    let mut args = Args {
        json: false,
        rows: Vec::new(),
        batches: 200,
        units: 500,
        exactly: None,
        instructions: true,
        times: true,
        pin: false,
        list: false,
        first_pixel: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || -> Result<u32> {
            words
                .next()
                .and_then(|n| n.parse().ok())
                .filter(|n| *n > 0)
                .with_context(|| format!("{word} needs a number"))
        };
        match word.as_str() {
            "--lane-json" => args.json = true,
            "--no-instructions" => args.instructions = false,
            "--instructions" => args.times = false,
            "--pin" => args.pin = true,
            "--batches" => args.batches = number()?,
            "--units" => args.units = number()?,
            "--exactly" => args.exactly = Some(number()?),
            "--list" => args.list = true,
            "--first-pixel" => args.first_pixel = Some(number()?),
            "--row" | "--only" => {
                if word == "--only" {
                    args.rows.clear();
                }
                let name = words.next().unwrap_or_default();
                let known = || {
                    ROWS.iter()
                        .map(|row| row.name)
                        .collect::<Vec<_>>()
                        .join(", ")
                };
                let row = ROWS.iter().find(|row| row.name == name);
                args.rows.push(
                    row.with_context(|| {
                        format!("there is no row `{name}`: there are {}", known())
                    })?,
                );
            }
            _ => bail!("`{word}` is no option of driverbench"),
        }
    }
    if args.rows.is_empty() {
        args.rows = ROWS.iter().collect();
    }
    Ok(args)
}

fn main() {
    if let Err(error) = run() {
        eprintln!("driverbench: {error:#}");
        std::process::exit(2);
    }
}

fn run() -> Result<()> {
    let args = parse()?;
    if args.list {
        for row in &args.rows {
            println!("{}", row.name);
        }
        return Ok(());
    }
    let client = Client::open()?;
    if let Some(programs) = args.first_pixel {
        let mut ms = first_pixel::measure(&client.gl, programs)?;
        client.close();
        let first = ms[0];
        ms.sort_by(f64::total_cmp);
        let at = |part: f64| ms[((ms.len() - 1) as f64 * part).round() as usize];
        println!(
            "{}",
            json!({ "first_ms": first, "ms_p50": at(0.5), "ms_p99": at(0.99) })
        );
        return Ok(());
    }
    if let Some(units) = args.exactly {
        for row in &args.rows {
            let scene = (row.prepare)(&client.gl)?;
            rows::units(row, &client.gl, &scene, units);
            finish(&client, row)?;
        }
        return Ok(());
    }
    // Only now: the driver's own threads are free.
    if args.pin {
        gl::pin();
    }
    let mut figures = Vec::new();
    for row in &args.rows {
        let mut figure = if args.times {
            measure(&client, row, args.batches, args.units)?
        } else {
            json!({ "name": row.name, "unit": row.unit })
        };
        // Instructions are counted where no driver takes part: a driver's would drown ours.
        let null = std::env::var("MOBILEGL_BACKEND").is_ok_and(|backend| backend == "null");
        figure["instructions"] =
            match (null && args.instructions).then(|| instructions::per_unit(row.name)) {
                Some(Some(count)) => json!(count),
                Some(None) | None => Value::Null,
            };
        figures.push(figure);
    }
    if args.json {
        println!("{}", json!({ "rows": figures }));
    } else {
        for figure in &figures {
            println!(
                "{:16} {:>9} ns {:>9} ns p99 {:>9} instructions {:>6} allocations  per {}",
                figure["name"].as_str().unwrap_or(""),
                figure["ns_p50"],
                figure["ns_p99"],
                figure["instructions"],
                figure["allocs"],
                figure["unit"].as_str().unwrap_or(""),
            );
        }
    }
    Ok(())
}

/// Any error makes every figure worthless.
fn finish(client: &Client, row: &Row) -> Result<()> {
    // SAFETY: see `gl`, rule 1.
    let error = unsafe {
        (client.gl.glFinish)();
        (client.gl.glGetError)()
    };
    if error != 0 {
        bail!("row {}: GL error {error:#x}", row.name);
    }
    Ok(())
}

fn measure(client: &Client, row: &Row, batches: u32, units: u32) -> Result<Value> {
    let scene = (row.prepare)(&client.gl)?;
    // Warm: memos, pipelines, the driver's own caches, all arrays of a row once.
    (row.run)(&client.gl, &scene, units.max(2048));
    finish(client, row)?;
    let mut samples = Vec::with_capacity(batches as usize);
    let mut allocations = 0;
    for _ in 0..batches {
        let before = client.allocations();
        let start = Instant::now();
        (row.run)(&client.gl, &scene, units);
        samples.push(start.elapsed().as_nanos() as f64 / f64::from(units));
        allocations += client.allocations() - before;
        // The queue is emptied outside the measured time, so that no batch waits for the device.
        finish(client, row)?;
    }
    samples.sort_by(f64::total_cmp);
    let at = |part: f64| samples[((samples.len() - 1) as f64 * part).round() as usize];
    let round = |ns: f64| (ns * 10.0).round() / 10.0;
    Ok(json!({
        "name": row.name,
        "unit": row.unit,
        "ns_p50": round(at(0.5)),
        "ns_p99": round(at(0.99)),
        "allocs": allocations as f64 / f64::from(batches) / f64::from(units),
    }))
}
