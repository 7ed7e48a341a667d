/// One of the classes of a `Join` or `Join3`: `Joined` or `LeftJoined`. Do not conform to it.
public protocol JoinSide: SendableMetatype {
    /// The class.
    associatedtype Model: Persistent
    /// The type of a result: an object, or an optional object.
    associatedtype Found

    /// Returns the result for the object of a row, or nil if the row is not part of the join.
    static func found(_ object: Model?) -> Found?
}

/// A side of a `Join` that always has an object.
public enum Joined<Model: Persistent>: JoinSide {
    /// An object.
    public typealias Found = Model

    /// The object.
    public static func found(_ object: Model?) -> Model? { object }
}

/// A side of a `Join` that may have no object.
public enum LeftJoined<Model: Persistent>: JoinSide {
    /// An optional object.
    public typealias Found = Model?

    /// The object, or nil if there is none.
    public static func found(_ object: Model?) -> Model?? { .some(object) }
}

/// Creates the columns of a join's sides, in their order.
struct JoinColumns {
    private let scopes = ScopeCounter()
    private var scope = 0

    mutating func next<T: Persistent>(_: T.Type) -> Columns<T> {
        defer { scope -= 1 }
        return Columns<T>(scope: scope, scopes: scopes)
    }
}

// The common part of both kinds of joins.
extension JoinDefinition {
    func adding(_ condition: Condition) -> JoinDefinition { changed { $0.add(condition.expression) } }

    func ordered(by value: QueryExpression, _ style: QueryDefinition.OrderStyle) -> JoinDefinition {
        changed { $0.orders.append(.init(expression: value, style: style)) }
    }

    func limited(_ count: Int) -> JoinDefinition { changed { $0.limit = Swift.max(count, 0) } }

    func offset(by count: Int) -> JoinDefinition { changed { $0.offset = Swift.max(count, 0) } }

    func joined<T: Persistent>(with type: T.Type, isOptional: Bool, _ condition: Condition) -> JoinDefinition {
        changed { $0.join(ObjectMemory.objectClass(type), isOptional: isOptional, condition.expression) }
    }

    private func changed(_ change: (inout JoinDefinition) -> Void) -> JoinDefinition {
        var definition = self
        change(&definition)
        return definition
    }

    func run<R>(
        _ terminalMethod: StaticString = #function, _ body: (Session, JoinDefinition) throws -> R
    ) throws -> R {
        let session = try CurrentSession.session(for: sides[0].type)
        return try session.enterQuery(terminalMethod, of: sides[0].type, in: "join.") { try body(session, self) }
    }
}
