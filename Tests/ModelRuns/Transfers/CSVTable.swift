import Foundation

/// The rows of a CSV file in the format of RFC 4180.
struct CSVTable {
    var header: [String] = []
    var rows: [[String: String]] = []

    init(_ data: Data) {
        var (lines, cells): ([[String]], [String]) = ([], [])
        var (cell, isQuoted): ([UInt8], Bool) = ([], false)
        let bytes = [UInt8](data)
        var place = 0
        func byte(_ index: Int) -> Character? { index < bytes.count ? Character(UnicodeScalar(bytes[index])) : nil }
        func end() {
            cells.append(String(decoding: cell, as: UTF8.self))
            cell = []
        }
        while let character = byte(place) {
            switch (isQuoted, character) {
            case (true, "\"") where byte(place + 1) == "\"":
                cell.append(bytes[place])
                place += 1
            case (_, "\""): isQuoted.toggle()
            case (false, ","): end()
            case (false, "\r") where byte(place + 1) == "\n":
                end()
                lines.append(cells)
                cells = []
                place += 1
            default: cell.append(bytes[place])
            }
            place += 1
        }
        header = lines.first ?? []
        rows = lines.dropFirst().map { Dictionary(zip(header, $0), uniquingKeysWith: { one, _ in one }) }
    }
}
