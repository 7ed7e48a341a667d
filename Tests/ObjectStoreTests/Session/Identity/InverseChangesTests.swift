import TestSupport
import Testing

@testable import PersistentObjects

/// Inverses in memory after saves that link and unlink many objects.
struct InverseChangesTests {
    final class Country: PersistentObject {
        override class var tableName: String { "country" }
        @Inverse(\City.country) var cities: [City]
        var neighbours: [Country] = []
        @Inverse(\Country.neighbours) var borderers: [Country]
    }

    final class City: PersistentObject {
        override class var tableName: String { "city" }
        var country: Country?
    }

    @Test func `one save moves many objects from one inverse to another`() throws {
        try withTemporarySession { session, _ in
            let (one, other) = (Country(), Country())
            let cities = (0..<6).map { _ in City() }
            for city in cities { city.country = one }
            try session.save(cities + [other])
            #expect(one.cities == cities && other.cities.isEmpty)
            for city in cities[..<4] { city.country = other }
            try session.save(cities)
            #expect(one.cities == Array(cities[4...]) && other.cities == Array(cities[..<4]))
            #expect(!one.hasChanges && !other.hasChanges)
        }
    }

    @Test func `an object that refers twice is once in the inverse`() throws {
        try withTemporarySession { session, _ in
            let (one, other) = (Country(), Country())
            one.neighbours = [other, other]
            try one.save()
            #expect(other.borderers == [one] && !other.hasChanges)
            one.neighbours = [other]
            try one.save()
            #expect(other.borderers == [one] && !other.hasChanges)
            one.neighbours = []
            try one.save()
            #expect(other.borderers.isEmpty && !other.hasChanges)
        }
    }

    @Test(.hangLimit) func `updating an inverse takes time linear in the number of objects`() throws {
        try withTemporarySession { session, _ in
            let country = Country()
            country.cities = (0..<20_000).map { _ in City() }
            try country.save()
            let more = (0..<20_000).map { _ in City() }
            for city in more { city.country = country }
            try session.save(more)
            #expect(country.cities.count == 40_000 && country.cities.last === more.last)
            #expect(!country.hasChanges)
        }
    }
}
