//! The page of `mobilegl stats --report`: the counters of runs with small charts, everything inside one file. It must not judge.

use std::fmt::Write;

use anyhow::Result;
use config::{Counters, Period, PushMask, Stats};

use crate::paired::Paired;
use crate::report::{STYLE, escape};

/// Size of a chart, in its own units.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 90.0;

pub fn page(runs: &[(String, Stats)]) -> Result<String> {
    let mut html = String::new();
    write!(
        html,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>MobileGL: counters</title><style>{STYLE}</style></head><body><main><h1>Counters</h1>"
    )?;
    for (name, stats) in runs {
        write!(
            html,
            "<section><h2>{}</h2><p>{} on {}, pushed: {}; {} GL errors</p>",
            escape(name),
            escape(&stats.backend),
            escape(&stats.device),
            PushMask(stats.mask_in_force),
            stats.errors
        )?;
        match &stats.counters {
            Some(counters) => run(&mut html, counters)?,
            None => {
                html.push_str("<p>Nothing was counted: the run had no MOBILEGL_PIPE_STATS=1.</p>")
            }
        }
        if let Some(ab) = &stats.ab {
            by_turns(&mut html, ab)?;
        }
        html.push_str("</section>");
    }
    html.push_str("</main></body></html>\n");
    Ok(html)
}

fn run(html: &mut String, counters: &Counters) -> Result<()> {
    let per_frame = |value: fn(&Period) -> u64| -> Vec<f64> {
        let periods = counters.periods.iter();
        periods
            .map(|period| value(period) as f64 / period.frames.max(1) as f64)
            .collect()
    };
    html.push_str("<div class=\"figures\">");
    for (title, value) in [
        ("draws a frame", (|p| p.draws) as fn(&Period) -> u64),
        ("calls a frame", |p| p.calls),
        ("bytes a frame", |p| p.bytes),
        ("CPU us a frame", |p| p.cpu_us),
    ] {
        line_chart(html, title, &per_frame(value))?;
    }
    bar_chart(html, "frames by CPU us", &counters.cpu_us)?;
    bar_chart(html, "frames by length in us", &counters.wall_us)?;
    html.push_str("</div>");
    let rows = |html: &mut String, heads: &[&str], rows: Vec<Vec<String>>| -> Result<()> {
        html.push_str("<div class=\"scroll\"><table><thead><tr>");
        for head in heads {
            write!(html, "<th>{head}</th>")?;
        }
        html.push_str("</tr></thead><tbody>");
        for row in rows {
            html.push_str("<tr>");
            for cell in row {
                write!(html, "<td>{}</td>", escape(&cell))?;
            }
            html.push_str("</tr>");
        }
        html.push_str("</tbody></table></div>");
        Ok(())
    };
    let pairs = |map: &std::collections::BTreeMap<String, u64>| -> Vec<Vec<String>> {
        let mut rows: Vec<_> = map.iter().collect();
        rows.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
        rows.into_iter()
            .map(|(name, count)| {
                let frame = *count as f64 / counters.frames.max(1) as f64;
                vec![name.clone(), count.to_string(), format!("{frame:.2}")]
            })
            .collect()
    };
    rows(
        html,
        &["call of the interface", "calls", "a frame"],
        pairs(&counters.calls),
    )?;
    rows(
        html,
        &["bytes", "in all", "a frame"],
        pairs(&counters.bytes),
    )?;
    let gates = counters.gates.iter().map(|(name, gate)| {
        let counts = [gate.held, gate.same, gate.told].map(|n| n.to_string());
        [vec![name.clone()], counts.to_vec()].concat()
    });
    rows(
        html,
        &["atom", "gate held", "same value", "told"],
        gates.collect(),
    )?;
    let csos = counters.csos.iter().map(|(name, cso)| {
        let counts = [cso.created, cso.found, cso.evicted].map(|n| n.to_string());
        [vec![name.clone()], counts.to_vec()].concat()
    });
    rows(
        html,
        &["state objects", "created", "found", "evicted"],
        csos.collect(),
    )
}

fn by_turns(html: &mut String, ab: &config::AbResult) -> Result<()> {
    let words = Paired::of(&ab.pairs).map_or_else(
        || "too few pairs to say anything".to_owned(),
        |paired| format!("B over A: {}, {}", paired.in_words(), paired.verdict()),
    );
    write!(
        html,
        "<h3>{}</h3><p>{}</p>",
        escape(&crate::ab::heading(ab)),
        escape(&words)
    )?;
    let ratios = ab.pairs.iter().filter(|pair| pair.a_ns != 0);
    let differences: Vec<f64> = ratios
        .map(|pair| {
            let a = pair.a_ns as f64 / pair.a_verbs.max(1) as f64;
            let b = pair.b_ns as f64 / pair.b_verbs.max(1) as f64;
            (b / a - 1.0) * 100.0
        })
        .collect();
    html.push_str("<div class=\"figures\">");
    line_chart(html, "B over A in %, pair by pair", &differences)?;
    html.push_str("</div>");
    Ok(())
}

fn open_chart(html: &mut String, title: &str) -> Result<()> {
    write!(
        html,
        "<figure><svg role=\"img\" aria-label=\"{0}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         fill=\"none\" stroke=\"currentColor\"><path d=\"M0 {HEIGHT}H{WIDTH}\" opacity=\"0.3\"/>",
        escape(title)
    )?;
    Ok(())
}

fn close_chart(html: &mut String, title: &str, range: &str) -> Result<()> {
    write!(
        html,
        "</svg><figcaption><b>{}</b><br>{}</figcaption></figure>",
        escape(title),
        escape(range)
    )?;
    Ok(())
}

fn line_chart(html: &mut String, title: &str, values: &[f64]) -> Result<()> {
    if values.is_empty() {
        return Ok(());
    }
    let least = values.iter().copied().fold(0.0, f64::min);
    let most = values.iter().copied().fold(least + f64::EPSILON, f64::max);
    open_chart(html, title)?;
    let step = WIDTH / (values.len().max(2) - 1) as f64;
    let points: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(i, value)| {
            let y = HEIGHT - (value - least) / (most - least) * (HEIGHT - 4.0) - 2.0;
            format!("{:.1},{y:.1}", i as f64 * step)
        })
        .collect();
    // One value is a dot, as a line without length.
    let points = match points.as_slice() {
        [only] => format!("{only} {only}"),
        _ => points.join(" "),
    };
    write!(
        html,
        "<polyline points=\"{points}\" stroke-width=\"1.5\" stroke-linecap=\"round\"/>"
    )?;
    close_chart(html, title, &format!("from {least:.1} to {most:.1}"))
}

fn bar_chart(html: &mut String, title: &str, buckets: &[(u64, u64)]) -> Result<()> {
    let Some(most) = buckets.iter().map(|(_, n)| *n).max().filter(|n| *n != 0) else {
        return Ok(());
    };
    open_chart(html, title)?;
    let step = WIDTH / buckets.len() as f64;
    for (i, (begins, frames)) in buckets.iter().enumerate() {
        let height = *frames as f64 / most as f64 * (HEIGHT - 4.0);
        write!(
            html,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\" fill=\"currentColor\" stroke=\"none\">\
             <title>from {begins} us: {frames} frames</title></rect>",
            i as f64 * step,
            HEIGHT - height,
            (step - 1.0).max(1.0)
        )?;
    }
    let range = match (buckets.first(), buckets.last()) {
        (Some((first, _)), Some((last, _))) => format!("from {first} us to over {last} us"),
        _ => String::new(),
    };
    close_chart(html, title, &range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use config::GateCounts;

    #[test]
    fn page_holds_charts_tables_and_nothing_from_elsewhere() {
        let mut counters = Counters {
            frames: 4,
            draws: 8,
            cpu_us: vec![(100, 3), (119, 1)],
            periods: [3, 9]
                .map(|draws| Period {
                    frames: 2,
                    draws,
                    ..Period::default()
                })
                .to_vec(),
            ..Counters::default()
        };
        counters.calls.insert("draw_vbo".to_owned(), 8);
        let gate = GateCounts {
            held: 1,
            same: 2,
            told: 3,
        };
        counters.gates.insert("vertex_buffers".to_owned(), gate);
        let stats = Stats {
            counters: Some(counters),
            ..Stats::default()
        };
        let page = page(&[("a <run>".to_owned(), stats)]).expect("a page");
        assert_eq!(page.matches("<svg").count(), 5, "{page}");
        for part in [
            "a &lt;run&gt;",
            "<td>draw_vbo</td><td>8</td><td>2.00</td>",
            "<td>vertex_buffers</td><td>1</td><td>2</td><td>3</td>",
            "from 100 us: 3 frames",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        assert!(!page.contains("http"), "nothing is loaded");
    }
}
