public import Foundation

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
        case .unknownWord(let className, let finder, let previous, let part, let offset, let expected, let suggestions):
            let last = expected.last.map(shown) ?? "the end"
            let others = expected.dropLast().map(shown).joined(separator: ", ")
            let words = others.isEmpty ? last : "\(others) or \(last)"
            let problem = "\(quoted(part)) cannot follow \(shown(previous)), only \(words)"
            return headline(className, finder, problem + question(suggestions)) + underline(offset, part, in: finder)
        case .misplacedWord(let className, let finder, let part, let offset, let reason):
            let problem = "\(quoted(part)) has no meaning here: \(reason.explanation)"
            return headline(className, finder, problem) + underline(offset, part, in: finder)
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
                : "is of a type that \(shown(operation)) cannot be asked of"
            return headline(className, finder, "\(shown(property)) \(problem)")
        case .invalidOperator(let className, let operation, let reason):
            return "\(shown(className)): finderOperators: \(quoted(operation)) \(reason.explanation)"
        case .wrongAnswerType(let className, let finder, let asked, let use):
            return headline(className, finder, "cannot answer with \(shown(asked)); write \(shown(use))")
        case .wrongOption(let className, let finder, let option, let reason):
            return headline(className, finder, "\(shown(option)) has no meaning here: \(explanation(of: reason))")
        case .notStoredProperty(let className, let keyPath, let reason):
            return "\(shown(className)): \(shown(keyPath)) \(reason.explanation)"
        }
    }

    private func explanation(of reason: OptionReason) -> String {
        switch reason {
        case .beforeArgument: "options come behind the arguments"
        case .givenTwice: "it is said already; leave one out"
        case .numberInName: "the name says how many objects are meant; write find for findFirst and findLast"
        case .onlyOne: "exactly one object is asked for; write find for a part of many"
        case .mayCreate: "an object may have to be made; leave it out"
        case .noObjects: "no objects are answered; leave it out"
        case .otherClass(let name): "its key path is one of \(shown(name))"
        case .unknownProperty(let part, let name, let suggestions):
            "\(shown(name)) has no property \(quoted(part))" + question(suggestions)
        case .notAReference(let path): "\(quoted(path)) goes on behind a property that is no reference"
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
            "is computed, and only stored properties can be looked up; name the stored properties it is made of"
        case .path:
            "leads beyond one property; name a property of the class itself"
        case .otherClass(let name):
            "is of \(name), another class; what is made for \(name) belongs in its own queries"
        case .oneValuedType:
            "has a type of which no two different values can be made, so it cannot be told apart from others; write its "
                + "name in a dynamic finder"
        case .hasSubscript:
            "contains a subscript, and only stored properties can be looked up; name the property itself"
        case .embedded(let fields):
            "is embedded and has no column of its own; name one of its fields: "
                + fields.map { "\\.\($0)" }.joined(separator: ", ")
        }
    }
}

extension FinderError.OperatorReason {
    fileprivate var explanation: String {
        switch self {
        case .noWord: "cannot be an operator; write ASCII letters and digits, a capital first"
        case .builtIn: "is an operator that is built in; give it another name"
        case .givenTwice: "is given twice; give one of them another name"
        case .beginsWith("Is"), .beginsWith("Not"):
            "cannot begin so: Is, Not and IsNot may stand before each operator anyway; leave it out"
        case .beginsWith(let words):
            "cannot begin with \(words), which can be read otherwise; give it another name"
        }
    }
}

extension FinderError.MisplacedReason {
    fileprivate var explanation: String {
        switch self {
        case .negatedTwice: "Not may stand once; leave both out to say the same"
        case .caseIgnoredTwice: "case is ignored already; leave it out"
        case .noCaseToIgnore: "no text is compared with an argument; leave it out"
        case .notLast: "AllIgnoreCase comes after the last criterion; write IgnoreCase behind those meant"
        case .orderedTwice: "a name has one OrderBy; write And before further properties to order by"
        case .directedTwice: "a property is ordered in one direction; leave one out"
        case .orInOrder: "properties to order by are joined with And"
        case .caseOfOrder: "an order has no IgnoreCase; write it before OrderBy for the criteria"
        case .noOrder: "no list of objects is asked for; leave the order out"
        case .ownOperator: "an operator of the class's own says itself whether case counts; leave it out"
        case .notForCreation:
            "a new object is made of the arguments; name properties of the class, joined with And, and no operators"
        case .restrictsNothing(let use): "words before By restrict nothing; write \(use)"
        }
    }
}

/// The width of a text in a terminal.
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
