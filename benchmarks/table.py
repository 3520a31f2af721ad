"""Rows of figures as text, and ratios as a picture."""
from __future__ import annotations

import math
from xml.sax.saxutils import escape


def milliseconds(value):
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}" if value < 1 else f"{value:.1f}" if value >= 100 else f"{value:.2f}"


def text(header, rows):
    """Columns as wide as they need to be; the first one to the left."""
    cells = [[str(c) for c in row] for row in [header, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = ["  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip() for row in cells]
    return "\n".join([lines[0], "  ".join("-" * w for w in widths), *lines[1:]])


def geometric_mean(values):
    values = [v for v in values if v and v > 0 and math.isfinite(v)]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


COLOURS = ["#2f6f9f", "#c8762b", "#4b8b4b", "#8a5aa0", "#a04545", "#666666"]


def picture(title, ratios, path, note=""):
    """Horizontal bars on a logarithmic axis: `ratios` is {row: {series: ratio}}; above one is to the right, better than the peer."""
    series = list(dict.fromkeys(s for row in ratios.values() for s in row))
    values = [v for row in ratios.values() for v in row.values() if v and v > 0]
    if not values:
        return False
    low, high = math.floor(min(0, math.log10(min(values)))), math.ceil(max(0.01, math.log10(max(values))))
    left, width, bar = 190, 620, 9
    row_height = bar * len(series) + 8
    height = 70 + row_height * len(ratios) + 30
    x = lambda v: left + (math.log10(v) - low) / (high - low) * width
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 90}" height="{height}" font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>', f'<text x="10" y="20" font-size="14">{escape(title)}</text>',
           f'<text x="10" y="{height - 8}" fill="#666">{escape(note)}</text>']
    for i, name in enumerate(series):
        out.append(f'<rect x="{left + 130 * i}" y="32" width="10" height="10" fill="{COLOURS[i % len(COLOURS)]}"/>'
                   f'<text x="{left + 130 * i + 14}" y="41">{escape(name)}</text>')
    for power in range(low, high + 1):
        place = x(10.0**power)
        out.append(f'<line x1="{place:.1f}" x2="{place:.1f}" y1="52" y2="{height - 30}" stroke="{"#333" if power == 0 else "#ddd"}"/>'
                   f'<text x="{place:.1f}" y="{height - 20}" text-anchor="middle">{10.0**power:g}x</text>')
    for i, (row, parts) in enumerate(ratios.items()):
        top = 58 + i * row_height
        out.append(f'<text x="{left - 8}" y="{top + row_height / 2}" text-anchor="end">{escape(row)}</text>')
        for j, name in enumerate(series):
            if parts.get(name):
                a, b = sorted((x(1.0), x(parts[name])))
                out.append(f'<rect x="{a:.1f}" y="{top + j * bar}" width="{max(b - a, 1):.1f}" height="{bar - 1}" fill="{COLOURS[j % len(COLOURS)]}"/>'
                           f'<text x="{b + 3:.1f}" y="{top + j * bar + bar - 1}" font-size="9">{parts[name]:.2g}</text>')
    out.append("</svg>")
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")
    return True
