import TestSupport
import Testing

@testable import PersistentObjects

/// Messages for words of the grammar in a wrong place, and for misspelled words.
struct MisplacedWordTests {
    private let model = GrammarModel.people

    @Test(arguments: [
        ("findByAge", "NotNot", "Null", "Not can occur only once"),
        ("findByAge", "IsNotNot", "In", "Not can occur only once"),
        ("findBy", "IgnoreCase", "", "No string is compared"),
        ("findByAgeAnd", "IgnoringCase", "", "No string is compared"),
        ("findBy", "AllIgnoreCase", "OrderByAge", "No string is compared"),
        ("findByAgeIsNull", "IgnoreCase", "", "No string is compared"),
        ("findByAgeIsNull", "IgnoreCase", "OrLastName", "No string is compared"),
        ("findByIsActiveTrue", "AllIgnoreCase", "", "No string is compared"),
        ("findByLastNameIgnoreCase", "IsNotNull", "", "No string is compared"),
        ("findByLastNameLikeIgnoreCase", "IgnoreCase", "", "Case is already ignored"),
        ("findByLastNameIgnoreCaseLike", "IgnoringCase", "AndAge", "Case is already ignored"),
        ("findByLastNameIlike", "IgnoreCase", "", "Case is already ignored"),
        ("findByLastNameIgnoreCase", "Ilike", "", "Case is already ignored"),
        ("findByLastNameAllIgnoreCase", "And", "Age", "AllIgnoreCase must follow the last"),
        ("findByAgeOrderByAge", "OrderBy", "LastName", "A name can contain only one OrderBy"),
        ("findByAgeOrderByAgeAsc", "Desc", "", "A property is ordered in one direction"),
        ("listOrderByAge", "Or", "LastName", "Properties to order by are joined with And"),
        ("findByAgeOrderByLastName", "IgnoreCase", "", "An order cannot have IgnoreCase"),
        ("findByLastNameOrderByLastName", "AllIgnoreCase", "", "An order cannot have IgnoreCase"),
        ("countByAge", "OrderBy", "Age", "The finder does not return a list of objects"),
        ("existsBy", "OrderBy", "Age", "The finder does not return a list of objects"),
        ("sumOfAge", "OrderBy", "LastName", "The finder does not return a list of objects"),
        ("getByAge", "OrderBy", "Age", "The finder does not return a list of objects"),
        ("maxOfAgeByLastName", "OrderBy", "Age", "The finder does not return a list of objects"),
        ("findOrCreateByAge", "OrderBy", "Age", "The finder does not return a list of objects"),
        ("findOrCreateByLastName", "Like", "", "A new object is created"),
        ("findOrCreateByLastName", "Or", "Age", "A new object is created"),
        ("findOrInitializeByLastName", "Not", "AndAge", "A new object is created"),
        ("findOrSaveBy", "Employer", "Name", "A new object is created"),
        ("findOrCreateByLastName", "IgnoreCase", "", "A new object is created"),
        ("findOrCreateByLastName", "AllIgnoreCase", "", "A new object is created"),
    ])
    func `a misplaced word is underlined with the reason`(before: String, word: String, after: String, reason: String) {
        // After the first `Not`, the second one is parsed as usual.
        let shown = word.hasSuffix("NotNot") ? String(word.dropLast(3)) : word
        let lines = model.meaning(before + word + after).split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0].contains("\"\(shown)\" is not allowed here. \(reason)"), "\(lines)")
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
        ("findTop", "0", "ByAge", "0 is not a valid number of objects. Write a number from 1"),
        ("findLast", "000", "DistinctByAge", "000 is not a valid number of objects"),
        ("findDistinctFirst", "99999999999999999999", "ByAge", "is not a valid number of objects"),
    ])
    func `a misspelled part is underlined`(before: String, part: String, after: String, problem: String) {
        let lines = model.meaning(before + part + after).split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0].contains(problem), "\(lines)")
        let mark = "^" + String(repeating: "~", count: part.count - 1)
        expect(lines.last, "    " + String(repeating: " ", count: before.count) + mark, "\(lines)")
    }

    @Test(arguments: ["findByAgeOrderBy", "listOrderBy", "sumOf", "sumOfAgeBy", "findByAgeOrderByAgeAnd", "countBy"])
    func `a name that ends too early throws a message that a property must follow`(name: String) {
        #expect(model.meaning(name).hasPrefix("Person.\(name): a property must follow here\n"))
    }

    @Test(arguments: [
        ("sumAge", "sumOfAge"), ("sumofAge", "sumOfAge"), ("maxAgeByLastName", "maxOfAgeByLastName"),
        ("findFrist3ByAge", "findFirst3ByAge"), ("findTpo3ByAge", "findTop3ByAge"),
        ("countDistintByAge", "countDistinctByAge"),
        ("findOrCreatByAge", "findOrCreateByAge"), ("removByAge", "removeByAge"), ("findOneByAge", "findOnlyByAge"),
    ])
    func `a misspelled subject throws with the right subject as a suggestion`(name: String, right: String) {
        #expect(model.meaning(name).contains("neither a static member nor a finder; did you mean \(right)"))
    }
}
