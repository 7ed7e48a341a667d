// The words after a property: the operators.
extension FinderGrammar {
    struct OperatorRow: Sendable {
        let spelling: String
        let comparison: FinderComparison
        /// Whether the word itself means that case is ignored.
        let ignoresCase: Bool
    }

    /// No spelling of an operator may be another of its spellings followed by `And` or `Or`, because a name would then
    /// have two readings with one meaning.
    static let operators: [OperatorRow] = forms.flatMap { form in
        form.spellings.flatMap { spelling in
            form.prefixes.map { prefix in
                OperatorRow(
                    spelling: prefix + spelling,
                    comparison: FinderComparison(
                        form.operation, isNegated: form.isNegated != prefix.hasSuffix("Not")),
                    ignoresCase: form.ignoresCase)
            }
        }
    }

    /// The empty operator: a property without an operator.
    static let plainOperator = operators.firstIndex { $0.spelling.isEmpty } ?? 0

    /// The prefixes of an operator.
    static let operatorPrefixes = ["", "Is", "Not", "IsNot"]

    private struct Form {
        let operation: FinderOperation
        let spellings: [String]
        var prefixes = operatorPrefixes
        var isNegated = false
        var ignoresCase = false
    }

    private static let forms: [Form] = [
        Form(operation: .equal, spellings: ["", "Equal", "Equals", "EqualTo"]),
        Form(operation: .between, spellings: ["Between"]),
        Form(operation: .inRange, spellings: ["InRange"]),
        Form(operation: .lessThan, spellings: ["LessThan", "Before"]),
        Form(operation: .lessThanOrEqual, spellings: orEqual("LessThan")),
        Form(operation: .greaterThan, spellings: ["GreaterThan", "After"]),
        Form(operation: .greaterThanOrEqual, spellings: orEqual("GreaterThan")),
        Form(operation: .isNull, spellings: ["Null", "Nil"]),
        Form(operation: .isNull, spellings: ["Exists"], prefixes: ["Not", ""], isNegated: true),
        Form(operation: .like, spellings: ["Like"]),
        Form(operation: .like, spellings: ["Ilike", "ILike"], ignoresCase: true),
        Form(operation: .startingWith, spellings: ["StartingWith", "StartsWith"]),
        Form(operation: .endingWith, spellings: ["EndingWith", "EndsWith"]),
        Form(operation: .containing, spellings: ["Containing", "Contains"]),
        Form(operation: .containingAll, spellings: ["ContainingAll", "ContainsAll"]),
        Form(operation: .containingAny, spellings: ["ContainingAny", "ContainsAny"]),
        Form(operation: .in, spellings: ["In", "InList"]),
        Form(operation: .isTrue, spellings: ["True"]),
        Form(operation: .isFalse, spellings: ["False"]),
        Form(operation: .isEmpty, spellings: ["Empty"]),
        Form(operation: .matches, spellings: ["Matches", "Regex", "MatchesRegex", "Rlike", "RLike"]),
    ]

    private static func orEqual(_ word: String) -> [String] {
        ["Equal", "Equals", "EqualTo", "OrEqual", "OrEquals", "OrEqualTo"].map { word + $0 }
    }
}

extension FinderComparison {
    /// The text after the property in a reading that is shown to the user.
    var reading: String {
        switch operation {
        case .equal: isNegated ? " != ?" : " = ?"
        case .between: isNegated ? " not between ? and ?" : " between ? and ?"
        case .inRange: isNegated ? " not in range ?" : " in range ?"
        case .lessThan: isNegated ? " not < ?" : " < ?"
        case .lessThanOrEqual: isNegated ? " not <= ?" : " <= ?"
        case .greaterThan: isNegated ? " not > ?" : " > ?"
        case .greaterThanOrEqual: isNegated ? " not >= ?" : " >= ?"
        case .isNull: isNegated ? " is not nil" : " is nil"
        case .like: isNegated ? " not like ?" : " like ?"
        case .startingWith: isNegated ? " not starting with ?" : " starting with ?"
        case .endingWith: isNegated ? " not ending with ?" : " ending with ?"
        case .containing: isNegated ? " does not contain ?" : " contains ?"
        case .containingAll: isNegated ? " does not contain all of ?" : " contains all of ?"
        case .containingAny: isNegated ? " contains none of ?" : " contains any of ?"
        case .in: isNegated ? " not in ?" : " in ?"
        case .isTrue: isNegated ? " is not true" : " is true"
        case .isFalse: isNegated ? " is not false" : " is false"
        case .isEmpty: isNegated ? " is not empty" : " is empty"
        case .matches: isNegated ? " does not match ?" : " matches ?"
        // The operator's name is in the class's table.
        case .own: ""
        }
    }
}
