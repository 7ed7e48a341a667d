import Foundation
import StoreEngine
import TestSupport
import Testing

@testable import PersistentObjects

/// Default scopes: the objects that they exclude, the calls that apply them, and `unscoped`.
struct DefaultScopeTests {
    final class Site: PersistentObject {
        override class var tableName: String { "site" }
        var name = ""
        @Inverse(\Article.site) var articles: [Article]
    }

    class Article: PersistentObject {
        override class var tableName: String { "article" }
        override class var defaultScope: Condition { Article.condition { !$0.isDraft } }
        var title = ""
        var rank = 0
        var isDraft = false
        @Unique var code: Int?
        var site: Site?
        var related: [Article] = []
    }

    final class Review: Article {
        override class var defaultScope: Condition { super.defaultScope && Review.condition { $0.stars >= 2 } }
        var stars = 0
    }

    final class Essay: Article {
        var pages = 0
    }

    /// Three visible articles and three drafts.
    private func articles() -> [Article] {
        (0..<6).map { index in
            let article = Article()
            (article.title, article.rank, article.isDraft) = (["a", "b", "c"][index / 2], index, index % 2 == 1)
            article.code = index
            return article
        }
    }

    @Test func `the default scope applies to queries and their terminal methods`() throws {
        try withTemporarySession { session, _ throws in
            let all = articles()
            try session.save(all)
            let found = [all[0], all[2], all[4]]
            #expect(try Article.query.all() == found && Article.all() == found)
            #expect(try Article.first() == all[0] && Article.query.order(by: \.rank, .descending).first() == all[4])
            #expect(try Article.count() == 3 && Article.query.count() == 3 && Article.query.ids() == [1, 3, 5])
            #expect(try Article.where { $0.rank > 0 }.all() == [all[2], all[4]])
            #expect(try !Article.where { $0.rank == 1 }.exists())
            #expect(try Article.query.sum(\.rank) == 6 && Article.query.values(of: \.title) == ["a", "b", "c"])
            #expect(try Article.query.limit(2).offset(1).all() == [all[2], all[4]])
            #expect(try Article.query.order(by: \.rank).after(all[0], limit: 5) == [all[2], all[4]])
            #expect(try Site.where { $0.id.isIn(Article.query, \.id) }.count() == 0)
            var batches: [Article] = []
            try Article.query.forEachBatch(of: 2) { batches += $0 }
            #expect(batches == found)
        }
    }

    @Test func `the default scope applies to finders of all kinds`() throws {
        try withTemporarySession { session, _ throws in
            let all = articles()
            try session.save(all)
            try expect(Article.findByTitle("b"), [all[2]])
            try expect(Article.findByRankGreaterThan(0), [all[2], all[4]])
            let count: Int = try Article.countByRankLessThan(4)
            let sum: Int? = try Article.sumOfRank()
            #expect(count == 2 && sum == 6)
            #expect(try Article.findBy.title("b") == [all[2]] && Article.findBy.rank(1) == [])
            #expect(try Article.findFirstBy.rank(in: 1...) == all[2] && Article.countBy.title("a") == 1)
            #expect(
                try Article.findByCode(1) == [] && Article.findBy.code(1) == [] && Article.findBy.code(2) == [all[2]])
            try expect(Article.findByCriteria("WHERE rank > ? ORDER BY rank DESC", 0), [all[4], all[2]])
            try expect(Article.countByCriteria("WHERE rank < ?", 4), 2)
            try expect(Article.findByCriteria("WHERE \"article\".rank = ?", 1), [])
            let error = #expect(throws: StoreError.self) { try Article.findByCriteria("WHERE rank > ?", 1, 2) }
            expect(error?.message.contains("1 placeholder, but the call has 2 arguments"), true)
        }
    }

    @Test func `findOrCreate and subqueries apply the default scope`() throws {
        try withTemporarySession { session, _ throws in
            let all = articles()
            try session.save(all)
            #expect(try Article.findOrCreateBy.code(2) === all[2])
            #expect(try Article.findOrCreateByTitle("c") == [all[4]] && Article.unscoped.count() == 6)
            // The hidden draft still has this unique value.
            let error = #expect(throws: StoreError.self) { try Article.findOrCreateBy.code(1) }
            #expect(error?.code == .notUnique)
            #expect(try Site.where { $0.name == "" && !$0.id.isIn(Article.query, \.id) }.count() == 0)
            try session.save((0..<2).map { _ in Site() })
            #expect(try Site.where { $0.id.isIn(Article.query, \.id) }.ids() == [1])
            #expect(try Site.where { $0.id.isIn(Article.unscoped, \.id) }.ids() == [1, 2])
        }
    }

    @Test func `the default scope applies to updates and deletions by query`() throws {
        try withTemporarySession { session, file throws in
            let all = articles()
            try session.save(all)
            try expect(Article.query.update { $0.title = "x" }, 3)
            expect(all.map(\.title), ["x", "a", "x", "b", "x", "c"])
            try expect(Article.where { $0.rank >= 3 }.delete(), 1)
            try expect(Article.deleteBy.rank(1), 0)
            try expect(Article.deleteAll(), 2)
            try expect(file.sqlite("SELECT rank FROM article ORDER BY rank"), "1\n3\n5")
            expect(all.map(\.isDeleted), [true, false, true, false, true, false])
        }
    }

    @Test func `finding by id, references and collections ignore the default scope`() throws {
        try withTemporarySession { session, _ throws in
            let all = articles()
            let site = Site()
            for article in all { article.site = site }
            all[0].related = all
            try session.save(all)
            #expect(try Article.find(2) === all[1] && Article.find([1, 2]) == [all[0], all[1]])
            #expect(try Article.find(PersistentID<Article>(2)) === all[1])
            try session.store.withSession { _ throws in
                try expect(Site.all()[0].articles.count, 6)
                try expect(Article.find(1)?.related.count, 6)
                try expect(Article.find(2)?.isDraft, true)
                try expect(Article.where { $0.related.any { $0.isDraft } }.count(), 1)
            }
        }
    }

    @Test func `unscoped queries ignore the default scope`() throws {
        try withTemporarySession { session, _ throws in
            let all = articles()
            try session.save(all)
            #expect(try Article.unscoped.all() == all && Article.unscoped.count() == 6)
            try expect(Article.unscoped.where { $0.isDraft }.all(), [all[1], all[3], all[5]])
            try expect(Article.unscoped.findBy.title("b"), [all[2], all[3]])
            #expect(try Article.unscoped.findBy.code(1) == [all[1]] && Article.findBy.code(1) == [])
            try expect(Article.unscoped.where { $0.rank == 1 }.delete(), 1)
            try expect(Article.unscoped.count(), 5)
        }
    }

    @Test func `subclasses inherit the default scope and can extend it`() throws {
        try withTemporarySession { session, _ throws in
            let essays = [Essay(), Essay()]
            let reviews = [Review(), Review(), Review()]
            essays[1].isDraft = true
            (reviews[0].stars, reviews[1].stars, reviews[2].stars) = (1, 2, 2)
            reviews[2].isDraft = true
            try session.save(essays)
            try session.save(reviews)
            try expect(Essay.all(), [essays[0]])
            #expect(try Review.all() == [reviews[1]] && Review.count() == 1)
            #expect(try Review.findByStars(1) == [] && Review.findByStars(2) == [reviews[1]])
            try expect(Review.findByCriteria("WHERE stars > 0"), [reviews[1]])
            try expect(Review.unscoped.count(), 3)
            // The scope of the queried class applies.
            try expect(Article.all(), [essays[0], reviews[0], reviews[1]])
        }
    }

    /// Its scope depends on a task-local value.
    final class Visit: PersistentObject {
        override class var tableName: String { "visit" }
        @TaskLocal static var tenant: Int?
        override class var defaultScope: Condition {
            guard let tenant else { return super.defaultScope }
            return Visit.condition { $0.tenant == tenant && $0.place.name.hasPrefix("s") }
        }
        var tenant = 0
        var number = 0
        var place: Site?
    }

    @Test func `the default scope is evaluated on each call`() throws {
        try withTemporarySession { session, _ throws in
            let site = Site()
            site.name = "site"
            let visits = (0..<6).map { index in
                let visit = Visit()
                (visit.tenant, visit.number, visit.place) = (index % 2, index / 2, index < 4 ? site : nil)
                return visit
            }
            try session.save(visits)
            func check(_ tenant: Int?, _ places: [Int]) throws {
                try Visit.$tenant.withValue(tenant) { () throws in
                    let expected = places.map { visits[$0] }
                    #expect(try Visit.all() == expected && Visit.query.all() == expected)
                    try expect(Visit.findByNumberGreaterThanEqual(0), expected)
                    try expect(Visit.findBy.number(0), expected.filter { $0.number == 0 })
                    try expect(Visit.findByNumber(0), expected.filter { $0.number == 0 })
                    try expect(Visit.findByCriteria("WHERE number >= ?", 0), expected)
                    try expect(Visit.countByCriteria("WHERE number >= ?", 1), expected.count { $0.number >= 1 })
                    #expect(try Visit.count() == expected.count && Visit.first() == expected.first)
                }
            }
            for _ in 0..<2 {
                try check(nil, [0, 1, 2, 3, 4, 5])
                try check(0, [0, 2])
                try check(1, [1, 3])
                try check(7, [])
            }
        }
    }

    final class Broken: PersistentObject {
        override class var tableName: String { "broken" }
        override class var defaultScope: Condition { Broken.condition { $0.twice == 4 } }
        var once = 2
        var twice: Int { once * 2 }
    }

    @Test func `an invalid default scope throws on each call`() throws {
        try withTemporarySession { session, _ throws in
            let broken = Broken()
            try broken.save()
            #expect(throws: (any Error).self) { try Broken.all() }
            #expect(throws: (any Error).self) { try Broken.query.delete() }
            #expect(throws: (any Error).self) { try Broken.findByOnce(2) }
            try expect(Broken.unscoped.all(), [broken])
        }
    }

    @Test func `an empty default scope excludes nothing`() {
        let condition = Site.condition { $0.name == "x" }
        expect((Condition.none && condition).expression.words, condition.expression.words)
        expect((condition && Condition.none).expression.words, condition.expression.words)
        #expect((condition || Condition.none).isNone && (!Condition.none).expression.words == [.operation(.never)])
        #expect(Site.query.definition.condition == nil)
    }
}
