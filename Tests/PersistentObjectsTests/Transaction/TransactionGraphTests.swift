import Foundation
import TestSupport
import Testing

@testable import PersistentObjects

/// A failed transaction restores links of all types.
struct TransactionGraphTests {
    @Test func `a rollback restores references, weak references and lazy references`() throws {
        try TransactionCheck.withShop { session, check throws in
            let (ann, bob, new) = (Shop.customer("Ann"), Shop.customer("Bob"), Shop.customer("New"))
            let order: Shop.Order = Shop.order("o")
            (order.customer, order.adviser, order.payer) = (ann, ann, ann)
            try session.save([ann, bob, order])
            try check.isTakenBack([ann, bob, new, order]) {
                (order.customer, order.adviser, order.payer) = (bob, new, new)
                try order.save()
                try new.save()
                (order.customer, order.adviser, order.payer) = (new, nil, bob)
                try order.save()
                (order.customer, order.payer) = (nil, nil)
            }
            #expect(order.customer === ann && order.adviser === ann && order.payer === ann)
            try ann.delete()
            #expect(order.customer == nil && order.adviser == nil && order.payer == nil && !order.hasChanges)
        }
    }

    @Test func `earlier edits of links are kept although the transaction saved other values`() throws {
        try TransactionCheck.withShop { session, check throws in
            let (ann, bob, new) = (Shop.customer("Ann"), Shop.customer("Bob"), Shop.customer("New"))
            let order: Shop.Order = Shop.order("o")
            let (first, second) = (Shop.line("1"), Shop.line("2"))
            (order.customer, order.lines, order.extras) = (ann, [first], [second])
            try session.save([ann, bob, order])
            (order.customer, order.adviser, order.payer) = (new, bob, bob)
            order.lines = [second, first]
            order.shelf = ["x": Shop.line("unsaved")]
            order.remarks = ["mine"]
            order.details.counter.count = 4
            try check.isTakenBack([ann, bob, new, order, first, second]) {
                order.customer = bob
                order.lines = []
                order.shelf["x"] = nil
                order.remarks = ["other"]
                order.details.counter.count = 5
                try order.save()
                try bob.delete()
            }
            #expect(order.customer === new && order.adviser === bob && order.remarks == ["mine"])
            expect(order.details.counter.count, 4)
            try order.save()
            #expect(new.id != nil && !order.hasChanges)
        }
    }

    @Test func `a rollback restores lazy properties that were unloaded, loaded or assigned`() throws {
        try TransactionCheck.withShop { session, check throws in
            let order: Shop.Order = Shop.order("o")
            order.payer = Shop.customer("Payer")
            order.remarks = ["a"]
            order.receipt = Data([1, 2])
            try order.save()
            try session.reset()
            let found = try #require(try Shop.Order.first())
            try check.isTakenBack([found]) {
                found.remarks.append("b")
                try found.save()
                expect(found.receipt, Data([1, 2]))
                found.receipt = Data()
                found.payer = nil
                try found.save()
            }
            try check.isTakenBack([found]) {
                found.receipt = Data([9])
                try found.save()
                try found.delete()
            }
            #expect(found.remarks == ["a"] && found.receipt == Data([1, 2]) && found.payer?.name == "Payer")
            try check.isTakenBack([found]) {
                found.remarks = ["c"]
                found.receipt = Data([3])
                try found.save()
                try found.reload()
            }
        }
    }

    @Test func `a rollback restores collections of values and objects`() throws {
        try TransactionCheck.withShop { session, check throws in
            let order: Shop.Order = Shop.order("o")
            let lines = (0..<6).map { Shop.line("\($0)") }
            order.tags = ["a", "b"]
            order.marks = [1, 2]
            order.lines = Array(lines[0..<3])
            order.extras = Set(lines[3..<5])
            order.shelf = ["x": lines[5], "y": lines[0]]
            try order.save()
            let new = Shop.line("new")
            try check.isTakenBack([order, new] + lines) {
                order.tags = ["b", "c", "a"]
                order.marks = []
                order.scores = ["s": 1]
                order.lines = [lines[2], new]
                order.extras = []
                order.shelf = ["y": lines[1], "z": new]
                try order.save()
                order.tags.removeAll()
                order.lines.append(lines[4])
                order.scores = nil
                try session.saveChanges()
            }
        }
    }

    @Test func `a rollback restores elements removed from an owning collection`() throws {
        try TransactionCheck.withShop { session, check throws in
            let order: Shop.Order = Shop.order("o")
            let lines = (0..<4).map { Shop.line("\($0)") }
            order.lines = lines
            order.extras = [lines[0]]
            try order.save()
            lines[1].amount = 77
            try check.isTakenBack([order] + lines) {
                order.lines.removeFirst(3)
                try order.save()
                #expect(lines[1].isDeleted && lines[0].isDeleted && order.extras.isEmpty)
                order.lines = []
                try order.save()
                #expect(lines[3].isDeleted)
            }
            #expect(lines[1].amount == 77 && lines[1].hasChanges)
        }
    }

    @Test func `a rollback restores inverses loaded before, during or after the transaction`() throws {
        try TransactionCheck.withShop { session, check throws in
            let (ann, bob) = (Shop.customer("Ann"), Shop.customer("Bob"))
            let orders: [Shop.Order] = (0..<3).map { Shop.order("\($0)") }
            for order in orders { order.customer = ann }
            let club = Shop.Club()
            club.members = [ann]
            let card = Shop.Card()
            card.holder = ann
            try session.save([ann, bob, club, card] + orders)
            let work = {
                orders[0].customer = bob
                try orders[0].save()
                try orders[1].delete()
                club.members = [bob, ann]
                try club.save()
                card.holder = bob
                try card.save()
                let new: Shop.Order = Shop.order("new")
                new.customer = ann
                try new.save()
            }
            // Not loaded.
            try check.isTakenBack([ann, bob, club, card] + orders, work)
            // Loaded during the transaction.
            try check.isTakenBack([ann, bob, club, card] + orders) {
                try work()
                #expect(ann.orders.count == 2 && bob.orders == [orders[0]] && bob.card === card)
                expect(ann.clubs, [club])
            }
            #expect(ann.orders == orders && bob.orders.isEmpty && ann.card === card && ann.clubs == [club])
            // Loaded before the transaction.
            try check.isTakenBack([ann, bob, club, card] + orders) {
                try work()
                #expect(ann.orders.count == 2 && bob.orders == [orders[0]] && bob.card === card)
            }
            #expect(ann.orders == orders && ann.card === card && ann.clubs == [club] && bob.clubs.isEmpty)
        }
    }

    @Test func `a rollback restores edited inverses`() throws {
        try TransactionCheck.withShop { session, check throws in
            let (ann, bob) = (Shop.customer("Ann"), Shop.customer("Bob"))
            let orders: [Shop.Order] = (0..<3).map { Shop.order("\($0)") }
            orders[0].customer = ann
            try session.save([ann, bob] + orders)
            expect(ann.orders.count, 1)
            try check.isTakenBack([ann, bob] + orders) {
                ann.orders = [orders[1], orders[2]]
                bob.orders = [orders[0]]
                try session.save([ann, bob])
                #expect(orders[0].customer === bob && orders[1].customer === ann)
            }
        }
    }

    @Test func `a rollback restores deletions with their cascades`() throws {
        try TransactionCheck.withShop { session, check throws in
            let ann = Shop.customer("Ann")
            let (card, club) = (Shop.Card(), Shop.Club())
            card.holder = ann
            club.members = [ann]
            let rush = Shop.order("r", of: Shop.Rush.self)
            let order: Shop.Order = Shop.order("o")
            rush.lines = [Shop.line("a"), Shop.line("b")]
            (rush.customer, rush.helper, order.customer, order.adviser) = (ann, order, ann, ann)
            order.shelf = ["x": rush.lines[0]]
            try session.save([ann, card, club, rush, order])
            #expect(ann.orders.count == 2 && ann.card === card)
            let all = [ann, card, club, rush, order] + rush.lines
            try check.isTakenBack(all) {
                try ann.delete()
                #expect(card.isDeleted && rush.customer == nil && club.members.isEmpty && order.adviser == nil)
                try rush.delete()
                #expect(order.shelf.isEmpty)
            }
            try check.isTakenBack(all) {
                _ = try Shop.Order.deleteAll()
                _ = try Shop.Customer.where { $0.name == "Ann" }.delete()
            }
            #expect(try Shop.Order.all().count == 2 && Shop.Rush.all() == [rush])
        }
    }
}
