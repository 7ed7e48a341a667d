internal import PersistentObjects
internal import StoreEngine

// The texts of objects as values of references.
extension InspectedFile {
    /// The first string of objects, by their ids. An object without a string, or that does not exist, has its class and
    /// id.
    func titles(of ids: [Int64], _ className: String) throws -> [Int64: String] {
        guard let description = classes.descriptions[className], !ids.isEmpty else {
            return Dictionary(ids.map { ($0, "\(className) #\($0)") }) { first, _ in first }
        }
        let name: SQL = description.titleProperty.map { shown($0) } ?? "NULL"
        let aClass: SQL = description.hasClassColumn ? "\"class\"" : "NULL"
        let list = Array(Set(ids)).compactMap { SQLLiteral(.integer($0)) }.map { "\(literal: $0)" as SQL }
        let sql: SQL = """
            SELECT "id", \(aClass), \(name) FROM \(name: description.table) WHERE "id" IN (\(list: list))
            """
        var titles: [Int64: String] = [:]
        for row in try rows(sql).rows {
            guard let id = row[0].integer else { continue }
            let text = row[2].text.map { VisibleText.of(String($0.map { $0.isNewline ? " " : $0 }), 60) } ?? ""
            titles[id] = text.isEmpty ? "\(row[1].text ?? className) #\(id)" : text
        }
        for id in ids where titles[id] == nil { titles[id] = "\(className) #\(id), which does not exist" }
        return titles
    }
}

extension ClassDescription {
    /// The property that names an object: the first string.
    var titleProperty: PropertyDescription? {
        properties.first { $0.kind == .scalar && $0.type == "String" && $0.hasColumn && !$0.isLazy && !$0.isEncrypted }
    }
}
