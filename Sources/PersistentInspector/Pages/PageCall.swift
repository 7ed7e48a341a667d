internal import PersistentObjects
internal import StoreEngine

/// A request for a page.
struct PageCall {
    /// The path of the file.
    let path: String
    let query: [String: String]
    /// Changes objects; nil if the file is only read.
    let editor: (any InspectorEditor)?

    func file(isLimited: Bool = true) throws -> InspectedFile { try InspectedFile(path, isLimited: isLimited) }

    /// An object of the file, which is closed afterwards.
    func object(_ className: String, _ id: String, isWhole: Bool = true) throws -> StoredObject {
        let file = try file()
        return try file.object(file.description(of: className), id, isWhole: isWhole)
    }

    /// An argument that is not empty.
    subscript(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The number of rows: 50, or the number in the address, for programs.
    var limit: Int { self["limit"].flatMap { Int($0) }.map { min(max($0, 1), Bounds.statementRows) } ?? Bounds.rows }

    /// The output of a command.
    func lines(_ words: [String]) throws -> [String] {
        let output = OutputLines()
        try InspectorCommand([path] + words).run { output.lines.append($0) }
        return output.lines
    }
}

/// Collects the lines of a command.
private final class OutputLines {
    var lines: [String] = []
}

extension PageContent.Cell {
    /// A class, which leads to its page.
    static func aClass(_ name: String) -> Self { .init(name, link: PageLink.path("class", name)) }
}
