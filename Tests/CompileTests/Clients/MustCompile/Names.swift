// A class can have properties with the names of the library's members; only `id` is reserved.
import PersistentObjects

class Names: PersistentObject {
    var changes: [String] = []
    var description = ""
    var debugDescription = ""
    var hasChanges = 0
    var isNew = ""
    var isDeleted = ""
    var copy = 0
    var dictionary = ""
    var count = 0
    var first = ""
    var all = ""
    var find = ""
    var store = ""
    var session = ""
    var save = false
    var delete = false
    var reload = 0
    var revert = 0
    var set = 0
    var hash = 0
    var `where` = ""
    var events = 0
    var snapshot = 0
    var persistentID = ""
    var query = ""
    var findBy = ""
    var deleteAll = 0
    var tableName = ""
    var formerTableNames = ""
    var indexes = 0
    var columns = 0
    var transient = 0
    var isAbstract = false
    var isolation = 0
    var type = ""
    // The names of the library's internal fields are allowed as well.
    var rowID = 0
    var keeper = ""
    var baseline = 0
    var freshness = 0
    var lifecycle = 0
}

class MoreNames: Names {
    var order = 0
    var index = 0
    var `class` = ""
    var `default` = ""
    var `self` = ""
    var `init` = 0
}

func useNames(_ names: Names) throws {
    names.changes = ["a"]
    names.description += "b"
    names.count += 1
    names.save = !names.delete
    names.hash = names.copy + names.hasChanges
    names.where = names.store
    names.lifecycle = 1
    print(try Names.findBy.changes(["a"]), try Names.findBy.description("b"), try Names.findBy.count(3))
    print(try Names.findByHasChanges(3), try Names.countBy.hash(3), try Names.findBy.where("x"))
    print(try Names.all(), try Names.first() as Any, try Names.count(), try Names.find(3) as Any)
    print(names == names, names.id as Any, Set([names]), try MoreNames.findBy.order(3))
}

/// The store still accesses hidden members, by the base class or by name.
func reachHiddenMember(_ names: Names) throws {
    try (names as PersistentObject).save()
    print((names as PersistentObject).changes, names["save"] as Any)
}
