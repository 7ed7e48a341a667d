import TestSupport
import Testing

@testable import PersistentObjects

/// Each operator in each spelling.
struct OperatorWordsTests {
    private let model = GrammarModel.people

    /// Spellings, reading, negated reading, and number of arguments.
    private static let operators: [([String], String, String, Int)] = [
        (["", "Equal", "Equals", "EqualTo"], " = ?", " != ?", 1),
        (["Between"], " between ? and ?", " not between ? and ?", 2),
        (["InRange"], " in range ?", " not in range ?", 1),
        (["LessThan", "Before"], " < ?", " not < ?", 1),
        (
            [
                "LessThanEqual", "LessThanEquals", "LessThanEqualTo", "LessThanOrEqual", "LessThanOrEquals",
                "LessThanOrEqualTo",
            ], " <= ?", " not <= ?", 1
        ),
        (["GreaterThan", "After"], " > ?", " not > ?", 1),
        (
            [
                "GreaterThanEqual", "GreaterThanEquals", "GreaterThanEqualTo", "GreaterThanOrEqual",
                "GreaterThanOrEquals", "GreaterThanOrEqualTo",
            ], " >= ?", " not >= ?", 1
        ),
        (["Null", "Nil"], " is nil", " is not nil", 0), (["Like"], " like ?", " not like ?", 1),
        (["Ilike", "ILike"], " like ? ignoring case", " not like ? ignoring case", 1),
        (["StartingWith", "StartsWith"], " starting with ?", " not starting with ?", 1),
        (["EndingWith", "EndsWith"], " ending with ?", " not ending with ?", 1),
        (["Containing", "Contains"], " contains ?", " does not contain ?", 1),
        (["ContainingAll", "ContainsAll"], " contains all of ?", " does not contain all of ?", 1),
        (["ContainingAny", "ContainsAny"], " contains any of ?", " contains none of ?", 1),
        (["In", "InList"], " in ?", " not in ?", 1), (["True"], " is true", " is not true", 0),
        (["False"], " is false", " is not false", 0), (["Empty"], " is empty", " is not empty", 0),
        (["Matches", "Regex", "MatchesRegex", "Rlike", "RLike"], " matches ?", " does not match ?", 1),
    ]

    @Test func `each operator is parsed alone, after Is, Not and IsNot, and between other criteria`() throws {
        var count = 0
        for (spellings, reading, opposite, arguments) in Self.operators {
            for spelling in spellings {
                for (prefix, reading) in [("", reading), ("Is", reading), ("Not", opposite), ("IsNot", opposite)] {
                    let word = prefix + spelling
                    expect(model.meaning("findByTags\(word)"), "find: tags\(reading)")
                    expect(model.meaning("findByEmployerName\(word)"), "find: employer.name\(reading)")
                    expect(
                        model.meaning("findByAge\(word)OrTags\(word)AndIDOrderByAge"),
                        "find: age\(reading) or tags\(reading) and id = ? by age")
                    try expect(model.parser.parse("findByAge\(word)AndAge").argumentCount, arguments + 1)
                    count += 4
                }
            }
        }
        #expect(count == 4 * (FinderGrammar.operators.count - 2) && count > 600)
        expect(model.meaning("findByEmployerExists"), "find: employer is not nil")
        expect(model.meaning("findByEmployerNotExists"), "find: employer is nil")
    }

    @Test func `all spellings of operators and subjects are distinct`() {
        expect(Set(FinderGrammar.operators.map(\.spelling)).count, FinderGrammar.operators.count)
        expect(Set(FinderGrammar.subjects.map(\.spelling)).count, FinderGrammar.subjects.count)
    }

    @Test func `no operator spelling extends another with a connective or a word about case`() {
        // Otherwise two readings could have the same meaning, which the chart does not check.
        for shorter in FinderGrammar.operators {
            for longer in FinderGrammar.operators
            where longer.comparison == shorter.comparison && longer.spelling.hasPrefix(shorter.spelling) {
                for word in ["And", "Or", "IgnoreCase", "IgnoringCase", "AllIgnor"] {
                    #expect(!longer.spelling.hasPrefix(shorter.spelling + word))
                }
            }
        }
    }

    @Test(arguments: [
        ("LastNameIgnoreCase", "lastName = ? ignoring case"), ("LastNameIgnoringCase", "lastName = ? ignoring case"),
        ("LastNameIsIgnoreCase", "lastName = ? ignoring case"), ("LastNameIgnoreCaseIs", "lastName = ? ignoring case"),
        ("LastNameNotIgnoreCase", "lastName != ? ignoring case"),
        ("LastNameContainingIgnoreCase", "lastName contains ? ignoring case"),
        ("LastNameIgnoreCaseContaining", "lastName contains ? ignoring case"),
        ("LastNameIgnoringCaseNotLike", "lastName not like ? ignoring case"),
        ("EmployerNameStartsWithIgnoreCaseAndAge", "employer.name starting with ? ignoring case and age = ?"),
        ("TagsContainingIgnoreCase", "tags contains ? ignoring case"),
        ("LastNameInIgnoreCaseOrAge", "lastName in ? ignoring case or age = ?"),
        ("LastNameAndFirstNameAllIgnoreCase", "lastName = ? and firstName = ?, all ignoring case"),
        ("LastNameLikeAllIgnoringCase", "lastName like ?, all ignoring case"),
        ("LastNameAndAgeIsNullAllIgnoreCase", "lastName = ? and age is nil, all ignoring case"),
        ("LastNameIgnoreCaseAllIgnoreCase", "lastName = ? ignoring case, all ignoring case"),
        ("LastNameAllIgnoreCaseOrderByAge", "lastName = ?, all ignoring case by age"),
        ("LastNameContainingAllIgnoreCase", "lastName contains ?, all ignoring case"),
        ("LastNameContainingAllIgnoreCaseAndAge", "lastName contains all of ? ignoring case and age = ?"),
        ("TagsContainingAllIgnoreCaseAndAge", "tags contains all of ? ignoring case and age = ?"),
        ("TagsContainsAnyIgnoreCase", "tags contains any of ? ignoring case"),
    ])
    func `one criterion or all criteria can ignore case`(criteria: String, reading: String) {
        expect(model.meaning("findBy" + criteria), "find: " + reading)
    }

    private static let wordsOfTheGrammar: [([String], String, String)] = [
        (["active", "isActive"], "findByActiveIsNotNull", "active is not nil"),
        (["active", "isActive"], "findByIsActiveNotNull", "isActive is not nil"),
        (["active", "isActive"], "findByIsActiveTrue", "isActive is true"),
        (["notNull"], "findByNotNull", "notNull = ?"), (["notNull"], "findByNotNullNotNull", "notNull is not nil"),
        (["notNull"], "findByNotNullIsNotNullOrNotNull", "notNull is not nil or notNull = ?"),
        (["orderBy"], "findByOrderBy", "orderBy = ?"),
        (["orderBy"], "findByOrderByOrderByOrderBy", "orderBy = ? by orderBy"),
        (["order", "by"], "findByOrderOrderByBy", "order = ? by by"),
        (["orderBy", "x"], "listOrderByOrderByDesc", "all by orderBy descending"),
        (["ageIn"], "findByAgeIn", "ageIn = ?"), (["ageIn"], "findByAgeInIn", "ageIn in ?"),
        (["in", "inRange"], "findByInInRange", "in in range ?"), (["in"], "findByInIn", "in in ?"),
        (["like", "likes"], "findByLikesLike", "likes like ?"),
        (["ascending"], "listOrderByAscendingAsc", "all by ascending"),
        (["desc", "description"], "listOrderByDescriptionDescDesc", "all by description descending, desc"),
        (["ignoreCase"], "findByIgnoreCaseIgnoreCase", "ignoreCase = ? ignoring case"),
        (["allIgnoreCase"], "findByAllIgnoreCaseAllIgnoreCase", "allIgnoreCase = ?, all ignoring case"),
        (["equal", "age"], "findByAgeLessThanOrAge", "age < ? or age = ?"),
        (["to", "equalTo"], "findByToEqualTo", "to = ?"),
        (["nil", "null"], "findByNilIsNullOrNullIsNil", "nil is nil or null is nil"),
        (["before", "after"], "findByBeforeAfterAndAfterBefore", "before > ? and after < ?"),
        (["between"], "findByBetweenBetween", "between between ? and ?"), (["not"], "findByNotNot", "not != ?"),
        (["not"], "findByNotNotNull", "not is not nil"), (["not"], "findByNotIsNot", "not != ?"),
        (["empty", "isEmpty"], "findByIsEmptyIsEmpty", "isEmpty is empty"), (["byName"], "findByByName", "byName = ?"),
        (["sumOf", "count"], "sumOfSumOfByCount", "sum of sumOf where count = ?"),
    ]

    @Test(arguments: wordsOfTheGrammar)
    func `properties can have the names of grammar words`(properties: [String], name: String, reading: String)
        throws
    {
        try expect(meaning(FinderParser(className: "P", properties: properties), name), reading)
    }

    @Test(arguments: [
        (["age", "equal"], "findByAgeLessThanOrEqual", ["age <= ?", "age < ? or equal = ?"]),
        (["age", "ageIs"], "findByAgeIsNull", ["ageIs is nil", "age is nil"]),
        (["age", "ageIn"], "findByAgeIn", ["ageIn = ?", "age in ?"]),
        (["age", "ageNotNull"], "countByAgeNotNull", ["ageNotNull = ?", "age is not nil"]),
        (["name", "orderByName"], "findByOrderByName", ["orderByName = ?", "all by name"]),
        (["name", "nameDesc"], "listOrderByNameDesc", ["all by nameDesc", "all by name descending"]),
        (["a", "b", "andB"], "listOrderByAAscAndB", ["all by a, b", "all by a, andB"]),
        (["age", "ageByName", "name"], "sumOfAgeByName", ["sum of ageByName where all", "sum of age where name = ?"]),
        (["name", "nameIgnoreCase"], "findByNameIgnoreCase", ["nameIgnoreCase = ?", "name = ? ignoring case"]),
    ])
    func `names with two readings throw an error with both`(properties: [String], name: String, readings: [String]) {
        let parser = FinderParser(className: "P", properties: properties)
        let error = #expect(throws: FinderError.self) { try parser.parse(name) }
        guard case .ambiguous(_, _, let shown) = error else { return #expect(error == nil, "\(name)") }
        expect(Set(shown), Set(readings))
    }

    @Test func `ContainingAllIgnoreCase is ambiguous for a collection`() {
        #expect(
            model.meaning("findByTagsContainingAllIgnoreCase") == """
                Person.findByTagsContainingAllIgnoreCase: can be read as "tags contains all of ? ignoring case" or as \
                "tags contains ?, all ignoring case". Use criteria text to specify the meaning
                """)
    }
}
