/// What the answer of a finder is made from.
enum Ending { case objects, first, last, only, count, exists, delete }

/// The answer of a finder, of no type yet.
enum Found {
    case objects([PersistentObject])
    case first(PersistentObject?)
    case only(PersistentObject)
    case count(Int)
    case exists(Bool)

    /// The answer as its finder's `Answer`, which the initializers of `FinderBy` chose together with the terminal
    /// method.
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

extension Ask {
    /// - Parameter ending: What is wanted; the last is the first of a query that has the last first.
    func found(_ ending: Ending) throws -> Found {
        switch ending {
        case .objects: .objects(try objects())
        case .first, .last: .first(try first())
        case .only: .only(try single())
        case .count: .count(try count())
        case .exists: .exists(try exists())
        case .delete: .count(try delete())
        }
    }
}
