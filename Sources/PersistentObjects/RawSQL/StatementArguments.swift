internal import StoreEngine

/// The arguments of raw SQL, as columns store them: for criteria, `rows` and `execute`.
struct StatementArguments {
    private let arguments: [Any?]
    private let session: Session
    /// The class whose columns the SQL names; nil unless it is criteria.
    private let map: ClassMap?

    init(_ arguments: [Any?], _ session: Session, of map: ClassMap? = nil) {
        self.arguments = arguments
        self.session = session
        self.map = map
    }

    /// The values, and the statement with its list placeholders replaced. All values are converted before any is bound,
    /// because converting a value can run user code.
    func resolved(_ text: String) throws -> (sql: SQL, values: [DatabaseValue]) {
        var splices = ListSplices(text)
        var values: [DatabaseValue] = []
        values.reserveCapacity(arguments.count)
        for (index, argument) in arguments.enumerated() {
            do { values.append(try value(of: argument, index, &splices)) } catch let fault as ValueFault {
                var error = StoreError.value(fault)
                error.message = "Argument \(index + 1): \(error.message)"
                throw error
            }
        }
        return (splices.sql(session.connection.dialect), values)
    }

    /// Binds values to a statement's placeholders, starting after the `first` ones.
    static func bind(_ values: [DatabaseValue], to statement: Statement, after first: Int = 0) throws {
        statement.beginBinding()
        for (index, value) in values.enumerated() {
            do throws(ValueFault) { try statement.bind(value, at: Int32(first + index) + 1) } catch {
                var error = StoreError.value(error)
                error.message = "Argument \(index + 1): \(error.message)"
                throw error.at(sql: statement.sql)
            }
        }
    }

    /// Throws if a statement has a different number of placeholders, not counting `others`, which do not belong to the
    /// user. `text` begins the message: "The criteria have".
    func checkCount(_ statement: Statement, _ text: String, besides others: Int = 0) throws(StoreError) {
        let count = statement.placeholderCount - others
        guard count != arguments.count else { return }
        func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        throw StoreError(
            .invalidSQL,
            "\(text) \(counted(count, "placeholder")), but the call has \(counted(arguments.count, "argument"))",
            sql: statement.sql)
    }

    private func value(of argument: Any?, _ index: Int, _ splices: inout ListSplices) throws -> DatabaseValue {
        switch argument {
        case nil: return .null
        case let text as String: return .text(text)
        case let number as Int: return .integer(Int64(number))
        default: break
        }
        guard let argument = OptionalValue.flattened(argument) else { return .null }
        let name = "Argument \(index + 1)"
        if let value = try scalar(argument, name) { return value }
        if let list = argument as? any SQLList {
            let codec = splices.column(of: index).flatMap { self.codec(ofColumn: $0) }
            let values = try list.values(codec?.columnType) {
                try element($0, codec, "An element of argument \(index + 1)")
            }
            return try splices.add(values, index)
        }
        // A dictionary is Codable, but no column stores it, because it has a separate table.
        if !(argument is any CollectionType), case .success(let codec) = codec(of: argument),
            let value = try codec.encodeArgument(argument)
        {
            return value
        }
        throw refusal(argument, name)
    }

    /// The codec of the column with a name; nil if it is not a column of the class, or if it refers to objects.
    private func codec(ofColumn names: [String]) -> PropertyCodec? {
        let folded = names.map(Naming.folded)
        guard let map, folded.count == 1 || (folded.count == 2 && folded[0] == Naming.folded(map.table)),
            let property = map.properties.first(where: { Naming.folded($0.column) == folded.last }),
            case .scalar = property.shape
        else { return nil }
        return property.codec
    }

    /// An element of a list, in the form of the column that it is compared with if the column is known.
    private func element(_ element: Any, _ codec: PropertyCodec?, _ name: String) throws -> DatabaseValue {
        guard let element = OptionalValue.flattened(element) else { return .null }
        if let codec, let value = try codec.encodeArgument(element) { return value }
        if let value = try scalar(element, name) { return value }
        if !(element is any CollectionType), !(element is any SQLList),
            case .success(let codec) = self.codec(of: element),
            let value = try codec.encodeArgument(element)
        {
            return value
        }
        throw refusal(element, name)
    }

    /// The value of an argument that needs no codec: an object, an id, or bytes, which are not a list; otherwise nil.
    private func scalar(_ argument: Any, _ name: String) throws -> DatabaseValue? {
        switch argument {
        case let value as DatabaseValue: return value
        case let scalar as any ColumnScalar: return try scalar.encoded()
        // Before the class: a cast of an array to a class makes Foundation objects of all elements.
        case is any CollectionType, is any SQLList: return nil
        case let object as PersistentObject: return .integer(try id(of: object, name))
        case let id as any ObjectIdentifying: return .integer(try self.id(of: id, name))
        default: return nil
        }
    }

    private func codec(of argument: Any) -> Result<PropertyCodec, CodecFactory.Refusal> {
        CodecFactory.codec(ofArgument: Swift.type(of: argument))
    }

    private func refusal(_ argument: Any, _ name: String) -> StoreError {
        let advice = (argument as? any NoArgument).map { ". \($0.advice)" } ?? ""
        return StoreError(
            .misuse,
            "\(name) has the type \(TypeSpelling.of(Swift.type(of: argument))), which no column can hold\(advice)")
    }

    private func id(of object: PersistentObject, _ name: String) throws -> Int64 {
        let type = Swift.type(of: object)
        switch object.lifecycle {
        case .new:
            throw StoreError(
                .misuse, "\(name) is an object of \(type) that was never saved. Save it first", className: "\(type)")
        case .deleted:
            throw StoreError(
                .objectIsDeleted, "\(name) is an object of \(type) that was deleted", className: "\(type)",
                rowID: object.rowID)
        case .saved, .untracked: break
        }
        // The ids of another store's objects have no meaning in this store.
        if let other = object.identityMap?.session, other.store !== session.store {
            throw StoreError(
                .otherSession, "\(name) is an object of \(type) from another store. Find it in this store",
                className: "\(type)", rowID: object.rowID)
        }
        return object.rowID
    }

    /// The id of the row that an id with a key names. The row may have a different id in this file.
    private func id(of id: any ObjectIdentifying, _ name: String) throws -> Int64 {
        guard id.key != nil else { return id.value }
        let space = try session.space(of: id.objectClass)
        guard let object = try Fetch(session).find(space, named: id) else {
            throw StoreError(
                .notFound, "\(name) is the key of an object of \(space.map.name) that is not in this store",
                className: space.map.name)
        }
        return object.rowID
    }
}

/// Arguments that are lists. Each is bound as one JSON array.
private protocol SQLList {
    /// The elements, converted by `element`. Elements that columns of `type` store unchanged are not passed to it.
    func values(
        _ type: ColumnType?, _ element: (Any) throws -> DatabaseValue
    ) throws -> [DatabaseValue]
}

extension SQLList where Self: Sequence {
    fileprivate func values(
        _ type: ColumnType?, _ element: (Any) throws -> DatabaseValue
    ) throws -> [DatabaseValue] {
        // The common element types are converted without boxing each element.
        switch self {
        case let numbers as [Int] where type ?? .integer == .integer: numbers.map { .integer(Int64($0)) }
        case let numbers as [Int64] where type ?? .integer == .integer: numbers.map { .integer($0) }
        case let texts as [String] where type ?? .text == .text: texts.map { .text($0) }
        default: try map { try element($0) }
        }
    }
}

extension Array: SQLList {}
extension ArraySlice: SQLList {}
extension ContiguousArray: SQLList {}
extension Set: SQLList {}

/// A value that users may pass by mistake, with advice on what to write instead.
protocol NoArgument {
    var advice: String { get }
}
