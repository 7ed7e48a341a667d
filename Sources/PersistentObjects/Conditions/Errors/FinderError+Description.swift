public import Foundation

extension FinderError: CustomStringConvertible {
    /// The problem and how to fix it, in one line, followed by the name with the invalid part underlined.
    ///
    /// The underlined name is left out if no part of the name is invalid.
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
        case .unknownWord(let className, let finder, let previous, let part, let offset, let expected, let suggestions):
            let last = expected.last.map(shown) ?? "the end"
            let others = expected.dropLast().map(shown).joined(separator: ", ")
            let words = others.isEmpty ? last : "\(others) or \(last)"
            let problem = "\(quoted(part)) cannot follow \(shown(previous)), only \(words)"
            return headline(className, finder, problem + question(suggestions)) + underline(offset, part, in: finder)
        case .misplacedWord(let className, let finder, let part, let offset, let reason):
            let problem = "\(quoted(part)) is not allowed here. \(reason.explanation)"
            return headline(className, finder, problem) + underline(offset, part, in: finder)
        case .invalidLimit(let className, let finder, let part, let offset):
            let problem = "\(shown(part)) is not a valid number of objects. Write a number from 1 to \(Int.max)"
            return headline(className, finder, problem) + underline(offset, part, in: finder)
        case .notAFinder(let className, let name, let suggestions):
            return headline(className, name, "neither a static member nor a finder" + question(suggestions))
        case .ambiguous(let className, let finder, let readings):
            let list = readings.map(quoted).joined(separator: " or as ")
            return headline(className, finder, "can be read as \(list). Use criteria text to specify the meaning")
        case .wrongArgumentCount(let className, let finder, let properties, let expected, let given):
            let list = properties.isEmpty ? "" : " (\(shown(properties.joined(separator: ", "))))"
            let noun = expected == 1 ? "argument" : "arguments"
            return headline(className, finder, "takes \(expected) \(noun)\(list), but the call has \(given)")
        case .wrongArgumentType(let className, let finder, let property, let expected, let given):
            return headline(className, finder, "\(shown(property)) requires \(shown(expected)), not \(shown(given))")
        case .wrongOperator(let className, let finder, let property, let operation, let isCollection):
            let problem =
                isCollection
                ? "has elements and cannot be compared as a whole. Use Containing, IsEmpty or IsNotEmpty"
                : "has a type that does not support \(shown(operation))"
            return headline(className, finder, "\(shown(property)) \(problem)")
        case .invalidOperator(let className, let operation, let reason):
            return "\(shown(className)).finderOperators: \(quoted(operation)) \(reason.explanation)"
        case .wrongAnswerType(let className, let finder, let asked, let use):
            return headline(className, finder, "cannot return \(shown(asked)). Write \(shown(use))")
        case .wrongOption(let className, let finder, let option, let reason):
            return headline(className, finder, "\(shown(option)) is not allowed here. \(explanation(of: reason))")
        case .notStoredProperty(let className, let keyPath, let reason):
            return "\(shown(className)): \(shown(keyPath)) \(reason.explanation)"
        }
    }

    private func explanation(of reason: OptionReason) -> String {
        switch reason {
        case .beforeArgument: "Options must follow the arguments"
        case .givenTwice: "The option is given twice. Remove one of the two"
        case .numberInName:
            "The name already specifies the number of objects. Use find instead of findFirst and findLast"
        case .onlyOne: "The finder returns exactly one object. Use find to get some of several objects"
        case .mayCreate: "The finder may have to create an object. Remove the option"
        case .noObjects: "The finder returns no objects. Remove the option"
        case .otherClass(let name): "Its key path is a key path of \(shown(name))"
        case .unknownProperty(let part, let name, let suggestions):
            "\(shown(name)) has no property \(quoted(part))" + question(suggestions)
        case .notAReference(let path): "\(quoted(path)) continues after a property that is not a reference"
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

    private func shown(_ text: String) -> String { VisibleText.of(text, keeping: .head, 160) }

    private func underline(_ offset: Int, _ part: String, in finder: String) -> String {
        let bytes = finder.utf8.dropFirst(max(0, offset))
        let start = String(decoding: finder.utf8.prefix(max(0, offset)), as: UTF8.self)
        let before = VisibleText.of(start, keeping: .tail, 60)
        let middle = VisibleText.of(part, keeping: .head, 60)
        let rest = String(decoding: bytes.dropFirst(part.utf8.count), as: UTF8.self)
        let after = VisibleText.of(rest, keeping: .head, 30)
        let mark = "^" + String(repeating: "~", count: max(0, columns(of: middle) - 1))
        let indent = String(repeating: " ", count: columns(of: before))
        return "\n    \(before)\(middle)\(after)\n    \(indent)\(mark)"
    }
}

extension FinderError.KeyPathReason {
    fileprivate var explanation: String {
        switch self {
        case .computed:
            "is computed, but only stored properties can be looked up. Name the stored properties that it is "
                + "computed from"
        case .path:
            "consists of more than one property. Name a property of the class itself"
        case .otherClass(let name):
            "belongs to \(name), which is another class. Use it only in queries for \(name)"
        case .oneValuedType:
            "cannot be distinguished from other properties, because the library cannot create two different "
                + "values of its type. Write its name in a dynamic finder"
        case .hasSubscript:
            "contains a subscript, but only stored properties can be looked up. Name the property itself"
        case .embedded(let fields):
            "is an embedded value without a single column. Name one of its fields: "
                + fields.map { "\\.\($0)" }.joined(separator: ", ")
        }
    }
}

extension FinderError.OperatorReason {
    fileprivate var explanation: String {
        switch self {
        case .noWord: "is not a valid operator name. Use ASCII letters and numbers, with an uppercase letter first"
        case .builtIn: "is a built-in operator. Choose another name"
        case .givenTwice: "is declared twice. Rename one of the two"
        case .beginsWith("Is"), .beginsWith("Not"):
            "must not begin with Is or Not, because Is, Not and IsNot can precede every operator. Remove this prefix"
        case .beginsWith(let words):
            "must not begin with \(words), because the name would be ambiguous. Choose another name"
        }
    }
}

extension FinderError.MisplacedReason {
    fileprivate var explanation: String {
        switch self {
        case .negatedTwice: "Not can occur only once. Remove both, because two of them cancel out"
        case .caseIgnoredTwice: "Case is already ignored. Remove the word"
        case .noCaseToIgnore: "No string is compared with an argument. Remove the word"
        case .notLast: "AllIgnoreCase must follow the last criterion. Write IgnoreCase after single criteria instead"
        case .orderedTwice: "A name can contain only one OrderBy. Write And before further properties to order by"
        case .directedTwice: "A property is ordered in one direction. Remove one of the two"
        case .orInOrder: "Properties to order by are joined with And"
        case .caseOfOrder: "An order cannot have IgnoreCase. Write it before OrderBy to apply it to the criteria"
        case .noOrder: "The finder does not return a list of objects. Remove the order"
        case .ownOperator: "A custom operator defines whether case is ignored. Remove the word"
        case .notForCreation:
            "A new object is created from the arguments. Name only properties of the class, joined with And, "
                + "without operators"
        case .restrictsNothing(let use): "Words before By do not restrict the result. Write \(use)"
        }
    }
}

/// The width of a string in a terminal, in columns.
private func columns(of text: String) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.contains(where: \.isWide) ? 2 : 1) }
}

extension Unicode.Scalar {
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFE0F:
            true
        default: properties.isEmojiPresentation
        }
    }
}

extension FinderError: LocalizedError {
    /// The same as `description`.
    public var errorDescription: String? { description }
}
