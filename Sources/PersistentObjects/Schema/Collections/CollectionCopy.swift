internal import Foundation
internal import StoreEngine

/// Converts the elements of a collection and writes them into its new table.
///
/// If a set becomes an array, its elements are sorted. If an array becomes a dictionary, its indexes become the keys. A
/// dictionary can become an array if its keys are 0, 1, 2 and so on. An array with equal elements cannot become a set.
struct CollectionCopy: Sendable {
    private let table: ChildTable
    private let property: Property
    private let className: String
    private let target: String
    private let value: ValueConversion?
    private let key: ValueConversion?
    private let valueMeaning: ValueMeaning
    /// Whether errors must not contain the values.
    private let isSecret: Bool

    /// - Parameters:
    ///   - target: The table to write.
    ///   - value: The meaning of the elements in their source.
    ///   - key: The meaning of the keys; nil if the source has no keys.
    init(
        _ table: ChildTable, of property: Property, in map: ClassMap, into target: String, value: ValueMeaning,
        key: ValueMeaning?, isSecret: Bool = false
    ) throws {
        self.isSecret = isSecret
        self.table = table
        self.property = property
        self.target = target
        className = map.name
        valueMeaning = value
        let codec = property.codec.asCollection
        // Ids of objects are unchanged.
        self.value = table.target == nil ? codec.map { ValueConversion(from: value, to: $0.element) } : nil
        self.key = codec?.key.map { ValueConversion(from: key ?? .integer, to: $0) }
    }

    struct Element {
        let key: DatabaseValue
        let value: DatabaseValue
    }

    /// Writes the columns of an element: its owner, in arrays its position, in dictionaries its key, and its value.
    typealias Insertion = (_ row: [DatabaseValue]) throws -> Void

    /// Copies from a table of another shape.
    ///
    /// - Parameter insertion: Writes an element; nil to write it into the target table.
    func run(
        _ run: SchemaRun, from source: String, _ shape: FoundCollection, _ insertion: Insertion? = nil
    ) throws {
        let order: SQL =
            switch shape.style {
            case .array: "\(name: ChildTable.positionColumn)"
            case .dictionary: "\(name: ChildTable.keyColumn)"
            case .set: "\(name: shape.value.name)"
            }
        let rows = try run.connection.prepare(
            """
            SELECT \(name: ChildTable.ownerColumn), \(order), \(name: shape.value.name) FROM \(name: source) \
            ORDER BY \(name: ChildTable.ownerColumn), \(order)
            """)
        let writer = try writer(run, insertion)
        var index: Int64 = -1
        var owner: Int64?
        try rows.forEach(for: property.name) { row in
            guard case .integer(let id) = row[0] else { return }
            index = id == owner ? index + 1 : 0
            owner = id
            try writer.write(Element(key: row[1], value: row[2]), at: index, of: id, from: shape.style)
        }
    }

    /// Copies from a column of the owner: its value, or the contents of its JSON.
    ///
    /// - Parameter rows: The condition of the rows that have a value.
    func run(_ run: SchemaRun, fromColumn column: String, of owner: String, rows: SQL) throws {
        let writer = try writer(run)
        try run.forEachRow("\(name: column)", rows, in: owner, for: property.name) {
            id, values in
            guard let elements = jsonElements(values[0]) else {
                return try writer.write(Element(key: .integer(0), value: values[0]), at: 0, of: id, from: .set)
            }
            for (index, element) in elements.enumerated() {
                try writer.write(
                    Element(key: element.key, value: element.value), at: Int64(index), of: id, from: element.style,
                    isJSON: true)
            }
        }
    }

    /// The elements of a JSON array or object; nil if the value is neither.
    private func jsonElements(
        _ value: DatabaseValue
    ) -> [(key: DatabaseValue, value: DatabaseValue, style: CollectionCodec.Style)]? {
        guard case .blob(let bytes) = value, valueMeaning == .json || valueMeaning == .bytes,
            let document = try? JSONSerialization.jsonObject(with: Data(bytes))
        else { return nil }
        func fragment(_ value: Any) -> DatabaseValue {
            if value is NSNull { return .null }
            let data = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
            return data.map { .blob([UInt8]($0)) } ?? .null
        }
        if let elements = document as? [Any] {
            return elements.enumerated().map { (.integer(Int64($0)), fragment($1), .array) }
        }
        guard let members = document as? [String: Any], table.style == .dictionary else { return nil }
        return members.sortedUnspecialized { $0.key < $1.key }.map { (.text($0), fragment($1), .dictionary) }
    }

    func writer(_ run: SchemaRun, _ insertion: Insertion? = nil) throws -> Writer {
        if let insertion { return Writer(self, run, insertion) }
        let columns = table.columns
        let insert = try run.connection.prepare(
            """
            INSERT INTO \(name: target) (\(names: columns.map(\.name))) VALUES (\(placeholders: columns.count))
            """)
        return Writer(self, run) { try insert.execute($0) }
    }

    /// Writes elements one at a time.
    final class Writer {
        private let copy: CollectionCopy
        private let run: SchemaRun
        private let insert: Insertion

        init(_ copy: CollectionCopy, _ run: SchemaRun, _ insert: @escaping Insertion) {
            self.copy = copy
            self.run = run
            self.insert = insert
        }

        func write(
            _ element: Element, at index: Int64, of owner: Int64, from style: CollectionCodec.Style,
            isJSON: Bool = false
        ) throws {
            let value = try converted(element.value, copy.value, isJSON, owner)
            if value == .null, !copy.table.valueAcceptsNull {
                throw failure("nil cannot be an element of it", element.value, owner)
            }
            var row: [DatabaseValue] = [.integer(owner)]
            switch copy.table.style {
            case .set:
                if style == .dictionary, element.key != .integer(index) {
                    throw failure("the keys are not 0, 1, 2 and so on, and a set would lose them", element.key, owner)
                }
            case .array:
                if style == .dictionary, element.key != .integer(index) {
                    throw failure(
                        "the keys are not 0, 1, 2 and so on, and an array would lose them", element.key, owner)
                }
                let isSameArray = style == .array && !isJSON
                row.append(isSameArray ? element.key : .integer(index * ChildTable.positionStep))
            case .dictionary:
                row.append(
                    style == .dictionary
                        ? try key(element.key, isJSON, owner) : try converted(.integer(index), copy.key, false, owner))
            }
            do { try insert(row + [value]) } catch let error as StoreError where error.code == .notUnique {
                throw failure("it equals another element", element.value, owner)
            }
        }

        private func key(_ value: DatabaseValue, _ isJSON: Bool, _ owner: Int64) throws -> DatabaseValue {
            guard isJSON, let codec = copy.property.codec.asCollection?.key else {
                return try converted(value, copy.key, false, owner)
            }
            return try converted(value, ValueConversion(from: .text, to: codec), false, owner)
        }

        private func converted(
            _ value: DatabaseValue, _ conversion: ValueConversion?, _ isJSON: Bool, _ owner: Int64
        ) throws -> DatabaseValue {
            guard var conversion else { return value }
            if isJSON, let codec = copy.property.codec.asCollection?.element {
                conversion = ValueConversion(from: .json, to: codec)
            }
            do throws(ValueFault) { return try conversion(value) } catch {
                throw failure(error.description, value, owner)
            }
        }

        private func failure(_ reason: String, _ value: DatabaseValue, _ owner: Int64) -> SchemaError {
            .notConvertible(
                className: copy.className, property: copy.property.name, rowID: owner,
                value: copy.isSecret ? nil : run.shown(value),
                type: copy.property.typeName, reason: reason)
        }
    }
}
