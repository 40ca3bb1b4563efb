//! The report: one page of HTML with everything inside it, readable offline. It must not judge.

use std::fmt::Write;

use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use verify::images::{self, Picture};

use crate::judge::{Judged, Verdict};
use crate::lane::{Backend, Lane};
use crate::pictures;
use crate::retrace::LaneRun;
use crate::trace::Shots;

pub const STYLE: &str = include_str!("report.css");

pub fn page(judged: &[Judged<'_>]) -> Result<String> {
    let good = judged.iter().filter(|one| one.is_good()).count();
    let runs: usize = judged.iter().map(|one| one.lanes.len()).sum();
    let mut html = String::new();
    write!(
        html,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>MobileGL: recorded programs</title><style>{STYLE}</style></head><body><main>\
         <h1>Recorded programs on MobileGL</h1>\
         <p class=\"lead {}\">{good} of {} programs are good, in {runs} runs.</p>\
         <p>A picture is good when no channel of any pixel is off by more than 16 and at least 99.9 % of the pixels are \
         within 2 of the reference, and when every bitmap of one backend draws exactly the same pixels. \
         SSIM is shown and decides nothing.</p>",
        class(good == judged.len()),
        judged.len(),
    )?;
    overview(&mut html, judged)?;
    for one in judged {
        program(&mut html, one)?;
    }
    html.push_str("</main></body></html>\n");
    Ok(html)
}

/// Programs down, lanes across.
fn overview(html: &mut String, judged: &[Judged<'_>]) -> Result<()> {
    let mut lanes: Vec<Lane> = Vec::new();
    for lane in judged
        .iter()
        .flat_map(|one| one.lanes.iter().map(|(run, _)| run.lane))
    {
        if !lanes.contains(&lane) {
            lanes.push(lane);
        }
    }
    html.push_str(
        "<div class=\"scroll\"><table class=\"matrix\"><thead><tr><th rowspan=\"2\">program</th>",
    );
    for backend in Backend::ALL {
        let count = lanes.iter().filter(|lane| lane.backend == backend).count();
        if count != 0 {
            write!(
                html,
                "<th colspan=\"{count}\" class=\"group\">{}</th>",
                backend.name()
            )?;
        }
    }
    html.push_str("</tr><tr>");
    lanes.sort_by_key(|lane| {
        Backend::ALL
            .iter()
            .position(|backend| *backend == lane.backend)
    });
    for lane in &lanes {
        write!(
            html,
            "<th class=\"lane\"><span>{}</span></th>",
            escape(&lane.arm_name())
        )?;
    }
    html.push_str("</tr></thead><tbody>");
    for one in judged {
        write!(
            html,
            "<tr><th><a href=\"#{0}\">{0}</a></th>",
            escape(&one.trace.name)
        )?;
        for lane in &lanes {
            match one.lanes.iter().find(|(run, _)| run.lane == *lane) {
                Some((_, verdict)) => {
                    let title = if verdict.good {
                        "good".to_owned()
                    } else {
                        verdict.problems.join("; ")
                    };
                    let mark = if verdict.good { "&#10003;" } else { "&#10007;" };
                    write!(
                        html,
                        "<td class=\"{}\" title=\"{}\">{mark}</td>",
                        class(verdict.good),
                        escape(&title)
                    )?;
                }
                None => html.push_str("<td></td>"),
            }
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div>");
    Ok(())
}

fn program(html: &mut String, judged: &Judged<'_>) -> Result<()> {
    let when = match judged.trace.shots {
        Shots::AfterCall(call) => format!("the picture after call {call}"),
        Shots::EveryFrame => "the last frame that differs, or the last".to_owned(),
    };
    write!(
        html,
        "<section id=\"{0}\"><h2>{0}</h2><p>{when}</p>",
        escape(&judged.trace.name)
    )?;
    figures(html, judged)?;
    numbers(html, judged)?;
    arms(html, judged)?;
    differences(html, judged)?;
    html.push_str("</section>");
    Ok(())
}

/// What verification found, a line each.
fn differences(html: &mut String, judged: &Judged<'_>) -> Result<()> {
    for (run, verdict) in &judged.lanes {
        if verdict.verify_reports.is_empty() {
            continue;
        }
        write!(
            html,
            "<h3>{}: what was told and what the context holds</h3><div class=\"scroll\"><table><thead><tr><th>field</th>\
             <th>verb</th><th>ordinal</th><th>frame</th><th>GL call</th><th>told</th><th>expected</th></tr></thead><tbody>",
            escape(&run.lane.to_string())
        )?;
        for report in &verdict.verify_reports {
            write!(
                html,
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td><td><code>{}</code></td></tr>",
                escape(&report.field),
                escape(&report.verb),
                report.verb_ordinal,
                report.frame,
                report.gl_call,
                escape(&report.told),
                escape(&report.expected)
            )?;
        }
        html.push_str("</tbody></table></div>");
    }
    Ok(())
}

/// The reference, then every distinct picture once, with its lanes and its difference.
fn figures(html: &mut String, judged: &Judged<'_>) -> Result<()> {
    let expected = judged.expected();
    let mut groups: Vec<(&Picture, Option<&Picture>, Vec<Lane>)> = Vec::new();
    for (run, _) in &judged.lanes {
        let pairs = || {
            run.pictures
                .iter()
                .zip(expected.iter().map(|(_, picture)| *picture))
        };
        let shown = pairs()
            .rfind(|((_, ours), theirs)| ours != *theirs)
            .or_else(|| pairs().next_back());
        let Some(((_, ours), theirs)) = shown else {
            continue;
        };
        match groups
            .iter_mut()
            .find(|(own, against, _)| *own == ours && *against == Some(theirs))
        {
            Some((_, _, lanes)) => lanes.push(run.lane),
            None => groups.push((ours, Some(theirs), vec![run.lane])),
        }
    }
    html.push_str("<div class=\"figures\">");
    if let Some(reference) = &judged.trace.reference {
        figure(
            html,
            reference,
            "reference",
            "as another conformant driver draws it",
        )?;
    }
    for (ours, theirs, lanes) in &groups {
        figure(
            html,
            ours,
            &in_few_words(lanes),
            &format!("{} lanes", lanes.len()),
        )?;
        if let Some(Ok(difference)) = theirs.map(|theirs| images::difference(ours, theirs)) {
            let differs = theirs.is_some_and(|theirs| theirs != *ours);
            let caption = if differs {
                "brighter is further off"
            } else {
                "no pixel differs"
            };
            figure(html, &difference, "difference", caption)?;
        }
    }
    html.push_str("</div>");
    Ok(())
}

fn figure(html: &mut String, picture: &Picture, title: &str, caption: &str) -> Result<()> {
    let (width, height) = picture.size();
    // Small pictures are shown in whole multiples, so that single pixels can be seen.
    let scale = (256 / width.max(height)).max(1);
    let data = STANDARD.encode(pictures::encode(picture)?);
    write!(
        html,
        "<figure><img alt=\"{title}\" width=\"{}\" height=\"{}\" src=\"data:image/png;base64,{data}\">\
         <figcaption><b>{title}</b><br>{caption}, {width}&times;{height}</figcaption></figure>",
        width * scale,
        height * scale,
        title = escape(title),
        caption = escape(caption),
    )?;
    Ok(())
}

fn numbers(html: &mut String, judged: &Judged<'_>) -> Result<()> {
    let verdicts = || judged.lanes.iter().map(|(_, verdict)| verdict);
    let good = verdicts().filter(|verdict| verdict.good).count();
    let ssim = verdicts()
        .filter_map(|verdict| verdict.ssim)
        .fold(1.0, f64::min);
    let differing = verdicts()
        .filter_map(|verdict| verdict.differing_pixels)
        .max()
        .unwrap_or(0);
    let differences: u64 = verdicts()
        .filter_map(|verdict| verdict.verify_differences)
        .sum();
    // Folded where there is nothing to look for.
    let open = if judged.is_good() { "" } else { " open" };
    write!(
        html,
        "<details{open}><summary><b class=\"{}\">{good} of {} lanes are good</b>: SSIM at least {ssim:.5}, at most \
         {differing} differing pixels, {differences} verify differences</summary>\
         <div class=\"scroll\"><table><thead><tr><th>lane</th><th>result</th><th>SSIM</th><th>differing pixels</th>\
         <th>worst channel</th><th>pixels as the first lane</th><th>verify differences</th><th>seconds</th><th>device</th>\
         </tr></thead><tbody>",
        class(judged.is_good()),
        judged.lanes.len(),
    )?;
    for (run, verdict) in &judged.lanes {
        numbers_row(html, run, verdict)?;
    }
    html.push_str("</tbody></table></div></details>");
    Ok(())
}

fn numbers_row(html: &mut String, run: &LaneRun, verdict: &Verdict) -> Result<()> {
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "&ndash;".to_owned());
    write!(
        html,
        "<tr><td>{}</td><td class=\"{}\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.2}</td>\
         <td>{}</td></tr>",
        escape(&run.lane.to_string()),
        class(verdict.good),
        if verdict.good { "good" } else { "bad" },
        or_dash(verdict.ssim.map(|ssim| format!("{ssim:.5}"))),
        or_dash(verdict.differing_pixels.map(|pixels| pixels.to_string())),
        or_dash(verdict.worst_channel.map(|channel| channel.to_string())),
        or_dash(
            verdict
                .same_as_first_lane
                .map(|same| if same { "yes" } else { "no" }.to_owned())
        ),
        or_dash(
            verdict
                .verify_differences
                .map(|differences| differences.to_string())
        ),
        verdict.seconds,
        escape(&verdict.device),
    )?;
    for problem in &verdict.problems {
        write!(
            html,
            "<tr><td></td><td colspan=\"8\" class=\"problem\">{}</td></tr>",
            escape(problem)
        )?;
    }
    Ok(())
}

/// Which arm worked for which subsystem: `push/pull` counts, lanes down.
fn arms(html: &mut String, judged: &Judged<'_>) -> Result<()> {
    html.push_str(
        "<details><summary>Arms: how often each subsystem was pushed (&uarr;) or pulled (&darr;)</summary>\
         <div class=\"scroll\"><table><thead><tr><th>lane</th>",
    );
    let names: Vec<&str> = config::BITS.iter().map(|bit| bit.name).collect();
    let told = |name: &&&str| {
        judged
            .lanes
            .iter()
            .any(|(_, verdict)| verdict.arms.contains_key(**name))
    };
    let names: Vec<&str> = names.iter().filter(told).copied().collect();
    for name in &names {
        write!(html, "<th>{}</th>", escape(name))?;
    }
    html.push_str("</tr></thead><tbody>");
    for (run, verdict) in &judged.lanes {
        write!(html, "<tr><td>{}</td>", escape(&run.lane.to_string()))?;
        for name in &names {
            let cell = match verdict.arms.get(*name).map(|arms| (arms.push, arms.pull)) {
                None => "&ndash;".to_owned(),
                Some((0, 0)) => "<i>not reached</i>".to_owned(),
                Some((push, 0)) => format!("&uarr;{push}"),
                Some((0, pull)) => format!("&darr;{pull}"),
                Some((push, pull)) => format!("&uarr;{push} &darr;{pull}"),
            };
            write!(html, "<td>{cell}</td>")?;
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div></details>");
    Ok(())
}

/// `gles: none, all and 13 more; vulkan: verify`.
fn in_few_words(lanes: &[Lane]) -> String {
    let mut words: Vec<String> = Vec::new();
    for backend in Backend::ALL {
        let arms: Vec<String> = lanes
            .iter()
            .filter(|lane| lane.backend == backend)
            .map(|lane| lane.arm_name())
            .collect();
        match arms.as_slice() {
            [] => {}
            [first, second, _, rest @ ..] => {
                words.push(format!(
                    "{}: {first}, {second} and {} more",
                    backend.name(),
                    rest.len() + 1
                ));
            }
            few => words.push(format!("{}: {}", backend.name(), few.join(", "))),
        }
    }
    words.join("; ")
}

fn class(good: bool) -> &'static str {
    if good { "good" } else { "bad" }
}

pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_in_few_words_name_two_per_backend() {
        let lanes = Lane::parse_list("gles/none,gles/all,gles/buffers,gles/verify,vulkan/all")
            .expect("lanes");
        assert_eq!(
            in_few_words(&lanes),
            "gles: none, all and 2 more; vulkan: all"
        );
    }

    #[test]
    fn escape_leaves_no_markup() {
        assert_eq!(
            escape("<a href=\"x\">&"),
            "&lt;a href=&quot;x&quot;&gt;&amp;"
        );
    }
}
