import TestSupport
import Testing

@testable import PersistentObjects

/// Finder names from Spring Data, GORM, Rails and Micronaut.
struct SpringNamesTests {
    private let model = GrammarModel([
        "Person": GrammarModel.Class(
            properties: [
                "firstname", "lastname", "emailAddress", "age", "active", "startDate", "address", "roles", "id",
            ], links: ["address": "Address"], collections: ["roles"]),
        "Address": GrammarModel.Class(properties: ["zipCode", "street", "id"]),
    ])

    /// Spring Data's complete table of keywords with their meaning here, or nil if they are not supported.
    private static let keywords: [([String], String?)] = [
        (["After", "IsAfter"], " > ?"), (["Before", "IsBefore"], " < ?"),
        (["Containing", "IsContaining", "Contains"], " contains ?"),
        (["NotContaining", "IsNotContaining", "NotContains"], " does not contain ?"),
        (["Between", "IsBetween"], " between ? and ?"),
        (["EndingWith", "IsEndingWith", "EndsWith"], " ending with ?"), (["Exists"], " is not nil"),
        (["False", "IsFalse"], " is false"), (["GreaterThan", "IsGreaterThan"], " > ?"),
        (["GreaterThanEqual", "IsGreaterThanEqual"], " >= ?"), (["In", "IsIn"], " in ?"),
        (["Is", "Equals", ""], " = ?"), (["IsEmpty", "Empty"], " is empty"),
        (["IsNotEmpty", "NotEmpty"], " is not empty"), (["NotNull", "IsNotNull"], " is not nil"),
        (["Null", "IsNull"], " is nil"), (["LessThan", "IsLessThan"], " < ?"),
        (["LessThanEqual", "IsLessThanEqual"], " <= ?"), (["Like", "IsLike"], " like ?"), (["Near", "IsNear"], nil),
        (["Not", "IsNot"], " != ?"), (["NotIn", "IsNotIn"], " not in ?"), (["NotLike", "IsNotLike"], " not like ?"),
        (["Regex", "MatchesRegex", "Matches"], " matches ?"),
        (["StartingWith", "IsStartingWith", "StartsWith"], " starting with ?"), (["True", "IsTrue"], " is true"),
        (["Within", "IsWithin"], nil),
    ]

    @Test func `each keyword of Spring Data is accepted, except Near and Within`() {
        for (words, reading) in Self.keywords {
            for word in words {
                for suffix in ["", "AndAge", "OrderByLastnameDesc", "OrAge"] {
                    let meaning = model.meaning("findByFirstname" + word + suffix)
                    if let reading {
                        #expect(meaning.hasPrefix("find: firstname" + reading), "\(word)\(suffix)")
                    } else {
                        #expect(meaning.hasPrefix("Person.findByFirstname\(word)\(suffix): no "))
                    }
                }
            }
        }
    }

    private static let names: [(String, String)] = [
        ("findDistinctByLastnameAndFirstname", "find distinct: lastname = ? and firstname = ?"),
        ("findByLastnameOrFirstname", "find: lastname = ? or firstname = ?"),
        ("findByStartDateBetween", "find: startDate between ? and ?"),
        ("findByAgeIsNull", "find: age is nil"), ("findByAgeNull", "find: age is nil"),
        ("findByAgeIsNotNull", "find: age is not nil"),
        ("findByAgeOrderByLastnameDesc", "find: age = ? by lastname descending"),
        ("findByLastnameNot", "find: lastname != ?"), ("findByActiveTrue", "find: active is true"),
        ("findByFirstnameIgnoreCase", "find: firstname = ? ignoring case"),
        ("findByLastnameIgnoreCaseContaining", "find: lastname contains ? ignoring case"),
        ("findByLastnameAndFirstnameAllIgnoreCase", "find: lastname = ? and firstname = ?, all ignoring case"),
        ("findByLastnameOrderByFirstnameAsc", "find: lastname = ? by firstname"),
        ("findByLastnameOrderByFirstnameAscAgeDesc", "find: lastname = ? by firstname, age descending"),
        ("findFirstByOrderByLastnameAsc", "first: all by lastname"),
        ("findTopByOrderByAgeDesc", "first: all by age descending"),
        ("findAllByOrderByAgeDesc", "find: all by age descending"),
        ("queryFirst10ByLastname", "first 10: lastname = ?"),
        ("findTop3ByLastname", "first 3: lastname = ?"),
        ("findDistinctTop3ByLastname", "first 3 distinct: lastname = ?"),
        ("findByAddressZipCode", "find: address.zipCode = ?"), ("findByAddress_ZipCode", "find: address.zipCode = ?"),
        ("findByEmailAddressAndLastname", "find: emailAddress = ? and lastname = ?"),
        ("countByLastname", "count: lastname = ?"),
        ("deleteByLastname", "delete: lastname = ?"), ("removeByLastname", "delete: lastname = ?"),
        ("deleteAllByLastnameIn", "delete: lastname in ?"),
        ("existsByEmailAddressIgnoreCase", "exists: emailAddress = ? ignoring case"),
        ("streamAllByAgeGreaterThanEqual", "find: age >= ?"), ("readByRolesContains", "find: roles contains ?"),
        ("findById", "find: id = ?"), ("findAllByIdIn", "find: id in ?"), ("existsById", "exists: id = ?"),
        // GORM
        ("findByAgeInList", "find: age in ?"), ("findAllByAgeNotInList", "find: age not in ?"),
        ("findByLastnameIlike", "find: lastname like ? ignoring case"),
        ("findByLastnameRlike", "find: lastname matches ?"),
        ("findByAgeInRange", "find: age in range ?"), ("findByAgeNotEqual", "find: age != ?"),
        ("findByAgeLessThanEquals", "find: age <= ?"), ("findByAgeGreaterThanEquals", "find: age >= ?"),
        ("listOrderByAge", "find: all by age"), ("findOrCreateByLastname", "findOrCreate: lastname = ?"),
        ("findOrSaveByLastnameAndAge", "findOrCreate: lastname = ? and age = ?"), ("getAllByAge", "find: age = ?"),
        // Rails and Micronaut
        ("findOrInitializeByEmailAddress", "findOrInitialize: emailAddress = ?"), ("findSoleByAge", "only: age = ?"),
        ("retrieveByAge", "find: age = ?"), ("eraseByAge", "delete: age = ?"),
        ("countDistinctByAge", "count distinct: age = ?"),
        ("listByAge", "find: age = ?"), ("findAllOrderByAge", "find: all by age"),
        ("searchByAgeIsNotIn", "find: age not in ?"),
        ("findTop3OrderByAgeDesc", "first 3: all by age descending"),
        ("findByAgeNotBetween", "find: age not between ? and ?"),
    ]

    @Test(arguments: names)
    func `finder names of other libraries have the same meaning`(name: String, meaning: String) {
        expect(model.meaning(name), meaning)
    }
}
