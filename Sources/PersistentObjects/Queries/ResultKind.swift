/// The kind of a finder's result.
enum ResultKind { case objects, first, last, only, count, exists, delete }

/// A finder's result before it is cast to the result type.
enum FinderResult {
    case objects([PersistentObject])
    case first(PersistentObject?)
    case only(PersistentObject)
    case count(Int)
    case exists(Bool)

    /// The result as `Answer`, which the initializers of `FinderBy` chose together with the terminal method.
    func answer<Answer>(as type: Answer.Type) -> Answer {
        switch self {
        case .objects(let objects): ObjectMemory.answer(objects, as: type)
        case .first(let object): ObjectMemory.answer(object, as: type)
        case .only(let object): ObjectMemory.answer(object, as: type)
        case .count(let count): ObjectMemory.answer(count, as: type)
        case .exists(let exists): ObjectMemory.answer(exists, as: type)
        }
    }
}

extension BoundQuery {
    /// - Parameter ending: The kind of the result. The last object is the first object of the query in reverse order.
    func found(_ resultKind: ResultKind) throws -> FinderResult {
        switch resultKind {
        case .objects: .objects(try objects())
        case .first, .last: .first(try first())
        case .only: .only(try single())
        case .count: .count(try count())
        case .exists: .exists(try exists())
        case .delete: .count(try delete())
        }
    }
}
