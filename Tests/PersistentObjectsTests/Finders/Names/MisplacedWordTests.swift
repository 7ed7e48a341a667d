import TestSupport
import Testing

@testable import PersistentObjects

/// What users read when a word of the grammar stands in a wrong place, or is misspelt.
struct MisplacedWordTests {
    private let model = GrammarModel.people

    @Test(arguments: [
        ("findByAge", "NotNot", "Null", "Not may stand once"), ("findByAge", "IsNotNot", "In", "Not may stand once"),
        ("findBy", "IgnoreCase", "", "no text is compared"),
        ("findByAgeAnd", "IgnoringCase", "", "no text is compared"),
        ("findBy", "AllIgnoreCase", "OrderByAge", "no text is compared"),
        ("findByAgeIsNull", "IgnoreCase", "", "no text is compared"),
        ("findByAgeIsNull", "IgnoreCase", "OrLastName", "no text is compared"),
        ("findByIsActiveTrue", "AllIgnoreCase", "", "no text is compared"),
        ("findByLastNameIgnoreCase", "IsNotNull", "", "no text is compared"),
        ("findByLastNameLikeIgnoreCase", "IgnoreCase", "", "case is ignored already"),
        ("findByLastNameIgnoreCaseLike", "IgnoringCase", "AndAge", "case is ignored already"),
        ("findByLastNameIlike", "IgnoreCase", "", "case is ignored already"),
        ("findByLastNameIgnoreCase", "Ilike", "", "case is ignored already"),
        ("findByLastNameAllIgnoreCase", "And", "Age", "AllIgnoreCase comes after the last"),
        ("findByAgeOrderByAge", "OrderBy", "LastName", "a name has one OrderBy"),
        ("findByAgeOrderByAgeAsc", "Desc", "", "a property is ordered in one direction"),
        ("listOrderByAge", "Or", "LastName", "properties to order by are joined with And"),
        ("findByAgeOrderByLastName", "IgnoreCase", "", "an order has no IgnoreCase"),
        ("findByLastNameOrderByLastName", "AllIgnoreCase", "", "an order has no IgnoreCase"),
        ("countByAge", "OrderBy", "Age", "no list of objects"), ("existsBy", "OrderBy", "Age", "no list of objects"),
        ("sumOfAge", "OrderBy", "LastName", "no list of objects"), ("getByAge", "OrderBy", "Age", "no list of objects"),
        ("maxOfAgeByLastName", "OrderBy", "Age", "no list of objects"),
        ("findOrCreateByAge", "OrderBy", "Age", "no list of objects"),
        ("findOrCreateByLastName", "Like", "", "a new object is made"),
        ("findOrCreateByLastName", "Or", "Age", "a new object is made"),
        ("findOrInitializeByLastName", "Not", "AndAge", "a new object is made"),
        ("findOrSaveBy", "Employer", "Name", "a new object is made"),
        ("findOrCreateByLastName", "IgnoreCase", "", "a new object is made"),
        ("findOrCreateByLastName", "AllIgnoreCase", "", "a new object is made"),
    ])
    func `a word without a meaning is underlined`(before: String, word: String, after: String, reason: String) {
        // Behind the first `Not` the second is read as usual.
        let shown = word.hasSuffix("NotNot") ? String(word.dropLast(3)) : word
        let lines = model.meaning(before + word + after).split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0].contains("\"\(shown)\" has no meaning here: \(reason)"), "\(lines)")
        let mark = "^" + String(repeating: "~", count: shown.count - 1)
        expect(lines.last, "    " + String(repeating: " ", count: before.count) + mark)
    }

    @Test(arguments: [
        ("findByAge", "Betwen", "", "no operator matches \"Betwen\" after age; did you mean Between?"),
        ("findByLastName", "NotLik", "AndAge", "no operator matches \"NotLik\" after lastName; did you mean NotLike"),
        ("findByLastName", "StartWith", "OrderByAge", "after lastName; did you mean StartsWith"),
        ("findByEmployerName", "Contaning", "IgnoreCase", "after employer.name; did you mean Containing"),
        (
            "findByLastName", "IgnorCase", "",
            "no operator matches \"IgnorCase\" after lastName; did you mean IgnoreCase?"
        ),
        ("findBy", "LastNme", "OrderByAge", "no property matches \"LastNme\"; did you mean lastName?"),
        ("findBy", "LastNme", "IgnoreCase", "no property matches \"LastNme\"; did you mean lastName?"),
        ("findBy", "LastNme", "AllIgnoreCase", "no property matches \"LastNme\"; did you mean lastName?"),
        ("findBy", "LastNme", "NotStartingWithAndAge", "no property matches \"LastNme\"; did you mean lastName?"),
        ("findByAgeOrderBy", "LastNme", "", "no property matches \"LastNme\"; did you mean lastName?"),
        ("findByAgeOrderBy", "LastNme", "DescAndAge", "no property matches \"LastNme\"; did you mean lastName?"),
        ("listOrderByAgeDescAnd", "Xyz", "", "no property matches \"Xyz\""),
        (
            "listOrderByEmployer", "Nme", "Desc",
            "no property of Company matches \"Nme\" after employer; did you mean employer.name?"
        ),
        (
            "listOrderByAge", "Decs", "",
            "\"Decs\" cannot follow age, only Asc, Desc, Ascending, Descending or And; did you mean Desc?"
        ),
        ("findByAgeOrderByAge", "Foo", "", "\"Foo\" cannot follow age, only Asc, Desc,"),
        (
            "findByAgeAllIgnoreCase", "OrdrBy", "",
            "\"OrdrBy\" cannot follow AllIgnoreCase, only OrderBy; did you mean OrderBy?"
        ),
        ("sumOf", "Agge", "", "no property matches \"Agge\"; did you mean age?"),
        ("sumOf", "Agge", "ByLastName", "no property matches \"Agge\"; did you mean age?"),
        (
            "maxOfEmployer", "Siz", "ByAge",
            "no property of Company matches \"Siz\" after employer; did you mean employer.size?"
        ),
        ("maxOfAge", "For", "ByLastName", "\"For\" cannot follow age, only By"),
        ("sumOfAgeBy", "LastNme", "", "no property matches \"LastNme\"; did you mean lastName?"),
        ("findTop", "0", "ByAge", "0 is no number of objects to find; write 1 or more"),
        ("findLast", "000", "DistinctByAge", "000 is no number of objects to find"),
        ("findDistinctFirst", "99999999999999999999", "ByAge", "is no number of objects to find"),
    ])
    func `a misspelt part is underlined`(before: String, part: String, after: String, problem: String) {
        let lines = model.meaning(before + part + after).split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0].contains(problem), "\(lines)")
        let mark = "^" + String(repeating: "~", count: part.count - 1)
        expect(lines.last, "    " + String(repeating: " ", count: before.count) + mark, "\(lines)")
    }

    @Test(arguments: ["findByAgeOrderBy", "listOrderBy", "sumOf", "sumOfAgeBy", "findByAgeOrderByAgeAnd", "countBy"])
    func `a name that ends too early says so`(name: String) {
        #expect(model.meaning(name).hasPrefix("Person.\(name): a property must follow here\n"))
    }

    @Test(arguments: [
        ("sumAge", "sumOfAge"), ("sumofAge", "sumOfAge"), ("maxAgeByLastName", "maxOfAgeByLastName"),
        ("findFrist3ByAge", "findFirst3ByAge"), ("findTpo3ByAge", "findTop3ByAge"),
        ("countDistintByAge", "countDistinctByAge"),
        ("findOrCreatByAge", "findOrCreateByAge"), ("removByAge", "removeByAge"), ("findOneByAge", "findOnlyByAge"),
    ])
    func `a misspelt subject is answered with the right one`(name: String, right: String) {
        #expect(model.meaning(name).contains("neither a static member nor a finder; did you mean \(right)"))
    }
}
