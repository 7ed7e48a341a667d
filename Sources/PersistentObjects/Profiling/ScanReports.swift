@_spi(Locks) internal import StoreEngine

/// Reports queries that read many rows to find few, once for each statement; for debug builds.
final class ScanReports: Sendable {
    private let reported = Locked<Set<String>>([])

    /// The message about a query; nil if there is nothing to report.
    ///
    /// - Parameters:
    ///   - scanned: The number of rows read sequentially.
    ///   - found: The number of these rows that were needed.
    func line(_ sql: String, scanned: Int, found: Int, _ advice: IndexAdvice) -> String? {
        guard scanned >= 1000, scanned / 20 > found, let suggestion = advice.suggestion else { return nil }
        guard reported.withLock({ $0.insert(sql).inserted }) else { return nil }
        let rows = "\(found) row\(found == 1 ? "" : "s")"
        return "\(scanned) rows were scanned to find \(rows): \(suggestion). The query was \(sql)"
    }
}
