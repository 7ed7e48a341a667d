/// Why a finder could not be understood or called.
///
/// All of these are found before any SQL is run. The ``description`` says what
/// to write instead; where one part of a name is at fault, it shows the name
/// with that part underlined:
///
///     Person.findByLastNme: no property matches "LastNme"; did you mean lastName?
///         findByLastNme
///               ^~~~~~~
///
/// The values of arguments never appear in an error.
public enum FinderError: Error, Sendable, Equatable {
    /// A part of the name stands where a property should and is none.
    ///
    /// `part` is the text at fault and `offset` its distance in UTF-8 bytes
    /// from the start of `finder`; `part` is empty where the name ends although
    /// a property should follow. `suggestions` holds up to three properties
    /// with similar names, the nearest first.
    case unknownProperty(className: String, finder: String, part: String, offset: Int, suggestions: [String])

    /// What follows a reference, collection of objects or inverse is neither a
    /// property of the objects that it leads to nor an operator.
    ///
    /// `path` is what was read before it, `employer`, and `target` the class
    /// that it leads to. `part` and `offset` are as in
    /// ``unknownProperty(className:finder:part:offset:suggestions:)``;
    /// `suggestions` holds up to three whole paths, `employer.name`.
    case unknownPathProperty(
        className: String, finder: String, path: String, target: String, part: String, offset: Int,
        suggestions: [String])

    /// What follows a property is neither an operator nor `And` or `Or`.
    ///
    /// `part` and `offset` are as in ``unknownProperty(className:finder:part:offset:suggestions:)``;
    /// `property` is the one read before it. `suggestions` holds up to three
    /// operators with similar spellings.
    case unknownOperator(
        className: String, finder: String, property: String, part: String, offset: Int, suggestions: [String])

    /// The number in a name such as `findFirst10ByAge` is 0, or greater than
    /// `Int.max`.
    ///
    /// `part` is the number as written, `offset` its distance in UTF-8 bytes
    /// from the start of `finder`.
    case invalidLimit(className: String, finder: String, part: String, offset: Int)

    /// The name is neither a static member nor a finder: no `find…By`,
    /// `count…By` and so on opens it.
    ///
    /// `suggestions` holds up to three names that may have been meant.
    case notAFinder(className: String, name: String, suggestions: [String])

    /// The name can be read in more than one way.
    ///
    /// With properties `name`, `age` and `nameAndAge`, `findByNameAndAge` is
    /// such a name. `readings` shows two of its readings. A typed finder or
    /// criteria text says which is meant.
    case ambiguous(className: String, finder: String, readings: [String])

    /// The call has more or fewer arguments than the name asks for.
    ///
    /// `properties` names the property that each wanted argument is compared
    /// with, in the order of the arguments.
    case wrongArgumentCount(className: String, finder: String, properties: [String], expected: Int, given: Int)

    /// An argument has a type that its property cannot be compared with.
    ///
    /// `expected` and `given` are the names of types.
    case wrongArgumentType(className: String, finder: String, property: String, expected: String, given: String)

    /// An operator is used on a kind of property that it is not made for.
    ///
    /// Collections and inverses are asked for their elements: they cannot be
    /// compared as a whole. `isCollection` says whether `property` is one;
    /// `operation` is the operator, empty where the name has none.
    case wrongOperator(
        className: String, finder: String, property: String, operation: String, isCollection: Bool)

    /// The answer is asked for in a type that this kind of finder cannot give.
    ///
    /// `asked` is the name of that type, `use` is what to write instead.
    case wrongAnswerType(className: String, finder: String, asked: String, use: String)

    /// A key path given to a typed finder does not name a stored property.
    case notStoredProperty(className: String, keyPath: String, reason: KeyPathReason)

    /// Why a key path does not lead to a property that can be looked up.
    public enum KeyPathReason: Sendable, Equatable {
        /// It names a computed property.
        case computed
        /// It leads through a property into another object or value.
        case path
        /// Its property's type has one value only, so that it cannot be told
        /// apart from others of that type.
        case oneValuedType
    }
}

extension FinderError: CustomStringConvertible {
    /// What is wrong and what to do about it, in one line; below it the name
    /// with the part at fault underlined, where there is such a part.
    public var description: String {
        switch self {
        case .unknownProperty(let className, let finder, let part, let offset, let suggestions):
            let problem = part.isEmpty ? "a property must follow here" : "no property matches \(quoted(part))"
            return headline(className, finder, problem + question(suggestions)) + underline(offset, part, in: finder)
        case .unknownPathProperty(
            let className, let finder, let path, let target, let part, let offset, let suggestions):
            let problem =
                part.isEmpty
                ? "a property of \(shown(target)) must follow \(shown(path)) here"
                : "no property of \(shown(target)) matches \(quoted(part)) after \(shown(path))"
            return headline(className, finder, problem + question(suggestions)) + underline(offset, part, in: finder)
        case .unknownOperator(let className, let finder, let property, let part, let offset, let suggestions):
            let problem = "no operator matches \(quoted(part)) after \(shown(property))"
            return headline(className, finder, problem + question(suggestions)) + underline(offset, part, in: finder)
        case .invalidLimit(let className, let finder, let part, let offset):
            let problem = "\(shown(part)) is no number of objects to find; write 1 or more, up to \(Int.max)"
            return headline(className, finder, problem) + underline(offset, part, in: finder)
        case .notAFinder(let className, let name, let suggestions):
            return headline(className, name, "neither a static member nor a finder" + question(suggestions))
        case .ambiguous(let className, let finder, let readings):
            let list = readings.map(quoted).joined(separator: " or as ")
            return headline(className, finder, "can be read as \(list); write criteria text to say which")
        case .wrongArgumentCount(let className, let finder, let properties, let expected, let given):
            let list = properties.isEmpty ? "" : " (\(shown(properties.joined(separator: ", "))))"
            let noun = expected == 1 ? "argument" : "arguments"
            return headline(className, finder, "wants \(expected) \(noun)\(list), not \(given)")
        case .wrongArgumentType(let className, let finder, let property, let expected, let given):
            return headline(className, finder, "\(shown(property)) wants \(shown(expected)), not \(shown(given))")
        case .wrongOperator(let className, let finder, let property, let operation, let isCollection):
            let problem =
                isCollection
                ? "has elements and is not compared as a whole; ask for Containing, IsEmpty or IsNotEmpty"
                : "is no collection, so \(shown(operation)) cannot be asked of it"
            return headline(className, finder, "\(shown(property)) \(problem)")
        case .wrongAnswerType(let className, let finder, let asked, let use):
            return headline(className, finder, "cannot answer with \(shown(asked)); write \(shown(use))")
        case .notStoredProperty(let className, let keyPath, let reason):
            return "\(shown(className)): \(shown(keyPath)) \(reason.explanation)"
        }
    }

    private func headline(_ className: String, _ finder: String, _ problem: String) -> String {
        "\(shown(className)).\(shown(finder)): \(problem)"
    }

    private func question(_ suggestions: [String]) -> String {
        guard let last = suggestions.last else { return "" }
        let others = suggestions.dropLast().map(shown).joined(separator: ", ")
        return "; did you mean \(others.isEmpty ? "" : others + " or ")\(shown(last))?"
    }

    private func quoted(_ text: String) -> String { "\"\(shown(text).replacing("\"", with: "\\\""))\"" }

    private func shown(_ text: String) -> String { visible(text, keeping: .head, 160) }

    private func underline(_ offset: Int, _ part: String, in finder: String) -> String {
        let bytes = finder.utf8.dropFirst(max(0, offset))
        let before = visible(String(decoding: finder.utf8.prefix(max(0, offset)), as: UTF8.self), keeping: .tail, 60)
        let middle = visible(part, keeping: .head, 60)
        let after = visible(String(decoding: bytes.dropFirst(part.utf8.count), as: UTF8.self), keeping: .head, 30)
        let mark = "^" + String(repeating: "~", count: max(0, columns(of: middle) - 1))
        let indent = String(repeating: " ", count: columns(of: before))
        return "\n    \(before)\(middle)\(after)\n    \(indent)\(mark)"
    }
}

extension FinderError.KeyPathReason {
    fileprivate var explanation: String {
        switch self {
        case .computed:
            "is computed, and only stored properties can be looked up; name the stored properties it is made of"
        case .path:
            "leads beyond one property; name a property of the class itself"
        case .oneValuedType:
            "has a type with one value only and cannot be told apart; write its name in a dynamic finder"
        }
    }
}

private enum Kept {
    case head
    case tail
}

/// Text for one line of a message: shortened, and with whatever would break
/// the line or reorder it written as an escape.
///
/// Counts scalars: one character can have any number of them.
private func visible(_ text: String, keeping kept: Kept, _ limit: Int) -> String {
    let scalars = text.unicodeScalars
    let some = kept == .head ? scalars.prefix(limit) : scalars.suffix(limit)
    let escaped = some.map { $0.isSafeToShow ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
    guard some.startIndex > scalars.startIndex || some.endIndex < scalars.endIndex else { return escaped }
    return kept == .head ? escaped + "…" : "…" + escaped
}

/// The width of a text in a terminal.
private func columns(of text: String) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.contains(where: \.isWide) ? 2 : 1) }
}

extension Unicode.Scalar {
    fileprivate var isSafeToShow: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        // Joiners and tags are parts of emoji; other format characters reorder or hide text.
        case .format: value == 0x200C || value == 0x200D || (0xE0000...0xE007F).contains(value)
        default: true
        }
    }

    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFE0F:
            true
        default: properties.isEmojiPresentation
        }
    }
}
