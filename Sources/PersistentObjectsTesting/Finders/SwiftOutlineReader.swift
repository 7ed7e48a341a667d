/// Reads a file for an outline.
struct SwiftOutlineReader {
    private let tokens: SwiftTokens
    private let file: Int
    private let module: SwiftScope
    private(set) var chains: [SwiftOutline.Chain] = []
    private(set) var types: [SwiftScope] = []
    private(set) var extensions: [SwiftScope] = []
    /// The open scopes; nested blocks are only counted.
    private var open: [(scope: SwiftScope, blocks: Int)]
    /// The type or extension whose brace follows.
    private var pending: SwiftScope?
    private var isStatic = false
    private var isPrivate = false

    init(_ tokens: SwiftTokens, file: Int, in module: SwiftScope) {
        self.tokens = tokens
        self.file = file
        self.module = module
        open = [(SwiftScope(.file, in: module), 0)]
    }

    private var scope: SwiftScope { open[open.count - 1].scope }

    mutating func read() {
        for index in tokens.tokens.indices {
            switch tokens.tokens[index].kind {
            case .openBrace: openScope()
            case .closeBrace: closeScope()
            case .word where !isMember(index): read(word: tokens.text(tokens.tokens[index]), index)
            case .quotedWord where !isMember(index): readChain(index)
            default: break
            }
        }
    }

    /// Whether the word is a member of the preceding expression: `.name` or `\Person.name`.
    private func isMember(_ index: Int) -> Bool {
        guard index > 0 else { return false }
        return tokens.tokens[index - 1].kind == .dot || isCharacter("\\", index - 1)
    }

    private func isCharacter(_ character: Unicode.Scalar, _ index: Int) -> Bool {
        guard tokens.tokens.indices.contains(index), tokens.tokens[index].kind == .other else { return false }
        return tokens.bytes[tokens.tokens[index].range.lowerBound] == UInt8(ascii: character)
    }

    private func name(at index: Int) -> String? {
        guard tokens.tokens.indices.contains(index) else { return nil }
        let token = tokens.tokens[index]
        return token.kind == .word || token.kind == .quotedWord ? tokens.text(token) : nil
    }

    // MARK: Scopes

    private mutating func openScope() {
        forgetModifiers()
        if let type = pending {
            open.append((type, 0))
            pending = nil
        } else if scope.kind == .block {
            open[open.count - 1].blocks += 1
        } else {
            open.append((SwiftScope(.block, in: scope, path: scope.path), 0))
        }
    }

    private mutating func closeScope() {
        forgetModifiers()
        pending = nil
        if open[open.count - 1].blocks > 0 {
            open[open.count - 1].blocks -= 1
        } else if open.count > 1 {
            open.removeLast()
        }
    }

    private mutating func forgetModifiers() { (isStatic, isPrivate) = (false, false) }

    // MARK: Declarations

    /// Whether blocks are nested deeper than in real code.
    ///
    /// Declarations in such blocks are ignored, because looking up names from the inside out would be too expensive.
    private var isTooDeep: Bool { open.count > 100 }

    private static let modifiers: Set<String> = [
        "func", "var", "let", "subscript", "override", "final", "private", "fileprivate", "internal", "package",
        "public", "open", "nonisolated", "dynamic", "async",
    ]
    private static let noTypeNames: Set<String> = ["in", "is", "as", "where", "else"]

    private mutating func read(word: String, _ index: Int) {
        switch word {
        case "static": isStatic = true
        case "private", "fileprivate": if !isCharacter("(", index + 1) { isPrivate = true }
        case "class":
            if let next = name(at: index + 1), SwiftOutlineReader.modifiers.contains(next) {
                isStatic = true
            } else {
                declareType(.type, index)
            }
        case "struct", "enum", "actor": declareType(.type, index)
        case "protocol": declareType(.protocolType, index)
        case "extension":
            guard name(at: index + 1) != nil, !isTooDeep else { return }
            let names = chain(index + 1).map(\.text)
            let made = SwiftScope(.extended(names), in: scope, path: names)
            extensions.append(made)
            pending = made
            forgetModifiers()
        case "func", "var", "let":
            if scope.isTypeOrExtension, let name = name(at: index + 1) {
                scope.members.insert(name)
                if isStatic { scope.statics.insert(name) }
            }
            forgetModifiers()
        case "typealias": declareAlias(index)
        case "init", "deinit", "subscript", "associatedtype", "case", "import": forgetModifiers()
        default: readChain(index)
        }
    }

    private mutating func declareType(_ kind: SwiftScope.Kind, _ index: Int) {
        guard let name = name(at: index + 1), !SwiftOutlineReader.noTypeNames.contains(name) else { return }
        // After a parenthesis or comma, the word is an argument label.
        guard !isCharacter("(", index - 1), !isCharacter(",", index - 1), !isTooDeep else { return }
        let isGlobal = scope.kind == .file && !isPrivate
        let container = isGlobal ? module : scope
        // A type can be declared twice, in both branches of an #if or in two modules.
        let type = container.types[name] ?? SwiftScope(kind, in: scope, path: scope.path + [name], isPrivate: isPrivate)
        if container.types.updateValue(type, forKey: name) == nil { types.append(type) }
        pending = type
        forgetModifiers()
    }

    private mutating func declareAlias(_ index: Int) {
        defer { forgetModifiers() }
        guard let name = name(at: index + 1) else { return }
        let next = endOfArguments(index + 2) ?? index + 2
        guard isCharacter("=", next), self.name(at: next + 1) != nil else { return }
        let container = scope.kind == .file && !isPrivate ? module : scope
        container.aliases[name] = SwiftScope.Alias(names: chain(next + 1).map(\.text), scope: scope)
    }

    // MARK: Chains

    private mutating func readChain(_ index: Int) {
        let names = chain(index)
        // A type starts with an uppercase letter; most chains do not.
        guard names.dropLast().contains(where: { $0.text.first?.isLowercase != true }) else { return }
        chains.append(SwiftOutline.Chain(names: names, scope: scope, file: file))
    }

    /// The names separated by dots from a token on, without generic arguments.
    private func chain(_ start: Int) -> [SwiftOutline.Chain.Name] {
        var names: [SwiftOutline.Chain.Name] = []
        var index = start
        while let text = name(at: index) {
            let token = tokens.tokens[index]
            names.append(.init(text: text, offset: token.range.lowerBound, isQuoted: token.kind == .quotedWord))
            let next = endOfArguments(index + 1) ?? index + 1
            guard next < tokens.tokens.count, tokens.tokens[next].kind == .dot else { break }
            index = next + 1
        }
        return names
    }

    /// The index after the `>` of generic arguments that start at a token; nil if none start there.
    private func endOfArguments(_ start: Int) -> Int? {
        guard isCharacter("<", start),
            tokens.tokens[start].range.lowerBound - (tokens.tokens[start - 1].kind == .quotedWord ? 1 : 0)
                == tokens.tokens[start - 1].range.upperBound
        else { return nil }
        var depth = 0
        // The search is short, because `<` may be a comparison, and many comparisons must cost little.
        for index in start..<min(start + 200, tokens.tokens.count) {
            let token = tokens.tokens[index]
            switch token.kind {
            case .word, .quotedWord, .dot, .literal: continue
            case .openBrace, .closeBrace: return nil
            case .other: break
            }
            switch tokens.bytes[token.range.lowerBound] {
            case UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ">") where !isCharacter("-", index - 1):
                depth -= 1
                if depth == 0 { return index + 1 }
            case UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "|"): return nil
            default: break
            }
        }
        return nil
    }
}
