import Foundation

/// An SVG plot of the growth of costs: the time of an operation against the number of rows, on logarithmic axes.
///
/// Its data is the output of `--json` for tables of several sizes.
struct Plot {
    /// A work in a table of one size, as ``Report`` writes it.
    struct Point: Decodable {
        let work: String
        let rows: Int
        let operations: Int
        let oursMilliseconds: Double?

        enum CodingKeys: String, CodingKey {
            case work, rows, operations
            case oursMilliseconds = "ours_ms"
        }

        /// The nanoseconds of each operation.
        var each: Double? { oursMilliseconds.map { $0 * 1e6 / Double(operations) } }
    }

    /// The works with at least two sizes, by name, in the order of the files.
    private let lines: [(work: String, points: [(rows: Double, each: Double)])]
    private let rows: ClosedRange<Double>
    private let times: ClosedRange<Double>

    /// - Throws: `OptionError` if a file cannot be read, or if no work was measured in two sizes.
    init(files: [String]) throws {
        let points = try files.flatMap { file in
            do {
                return try JSONDecoder().decode([Point].self, from: Data(contentsOf: URL(fileURLWithPath: file)))
            } catch {
                throw OptionError("\(file) is not what --json prints: \(error)")
            }
        }
        var names: [String] = []
        for point in points where !names.contains(point.work) { names.append(point.work) }
        lines = names.compactMap { name in
            let measured = points.filter { $0.work == name }
                .compactMap { point in point.each.map { (rows: Double(point.rows), each: $0) } }
                .sorted { $0.rows < $1.rows }
            return measured.count > 1 ? (name, measured) : nil
        }
        let all = lines.flatMap(\.points)
        guard let least = all.map(\.rows).min(), let most = all.map(\.rows).max(), least < most,
            let fastest = all.map(\.each).min(), let slowest = all.map(\.each).max(), fastest > 0
        else { throw OptionError("--plot needs JSON of one work in tables of two sizes at least") }
        rows = least...most
        times = pow(10, floor(log10(fastest)))...pow(10, ceil(log10(slowest * 1.001)))
    }

    private static let size = (width: 900.0, height: 460.0)
    private static let area = (left: 70.0, top: 20.0, right: 430.0, bottom: 50.0)
    private static let colors = [
        "#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#17becf", "#e377c2", "#7f7f7f", "#bcbd22",
    ]

    /// The picture.
    var svg: String {
        let (width, height) = Plot.size
        var parts = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(width)) \(Int(height))" \
            font-family="sans-serif" font-size="12">
            <rect width="100%" height="100%" fill="white"/>
            """
        ]
        var time = times.lowerBound
        while time <= times.upperBound * 1.001 {
            parts.append(rule(y(time)))
            parts.append(text(Plot.area.left - 8, y(time) + 4, Plot.duration(time), anchor: "end"))
            time *= 10
        }
        for count in Set(lines.flatMap { $0.points.map(\.rows) }).sorted() {
            parts.append(text(x(count), height - Plot.area.bottom + 20, Plot.number(count), anchor: "middle"))
        }
        parts.append(text((Plot.area.left + width - Plot.area.right) / 2, height - 8, "rows", anchor: "middle"))
        // The names are in the order of the lines' last points, and do not overlap.
        let ends = lines.enumerated().sorted {
            ($0.element.points.last?.each ?? 0) > ($1.element.points.last?.each ?? 0)
        }
        var lowest = Plot.area.top
        for (index, line) in ends {
            let color = Plot.colors[index % Plot.colors.count]
            let path = line.points.map { "\(coordinate(x($0.rows))),\(coordinate(y($0.each)))" }.joined(separator: " ")
            parts.append("<polyline points=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>")
            let end = Swift.max(y(line.points.last?.each ?? 1) + 4, lowest)
            lowest = end + 15
            parts.append(text(width - Plot.area.right + 10, end, Plot.escaped(line.work), anchor: "start", fill: color))
        }
        return (parts + ["</svg>"]).joined(separator: "\n")
    }

    private func x(_ count: Double) -> Double {
        let share = (log10(count) - log10(rows.lowerBound)) / (log10(rows.upperBound) - log10(rows.lowerBound))
        return Plot.area.left + share * (Plot.size.width - Plot.area.left - Plot.area.right)
    }

    private func y(_ time: Double) -> Double {
        let share = (log10(time) - log10(times.lowerBound)) / (log10(times.upperBound) - log10(times.lowerBound))
        return Plot.size.height - Plot.area.bottom - share * (Plot.size.height - Plot.area.top - Plot.area.bottom)
    }

    private func rule(_ y: Double) -> String {
        let right = coordinate(Plot.size.width - Plot.area.right)
        return """
            <line x1="\(coordinate(Plot.area.left))" y1="\(coordinate(y))" x2="\(right)" y2="\(coordinate(y))" \
            stroke="#ddd"/>
            """
    }

    private func text(_ x: Double, _ y: Double, _ text: String, anchor: String, fill: String = "#333") -> String {
        """
        <text x="\(coordinate(x))" y="\(coordinate(y))" text-anchor="\(anchor)" fill="\(fill)">\(text)</text>
        """
    }

    private func coordinate(_ value: Double) -> String { String(format: "%.1f", value) }

    private static func duration(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<1_000: "\(Int(nanoseconds.rounded())) ns"
        case ..<1_000_000: "\(Int((nanoseconds / 1e3).rounded())) µs"
        default: "\(Int((nanoseconds / 1e6).rounded())) ms"
        }
    }

    private static func number(_ count: Double) -> String {
        let digits = String(Int(count)).reversed()
        var grouped = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, index.isMultiple(of: 3) { grouped.append(",") }
            grouped.append(digit)
        }
        return String(grouped.reversed())
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
