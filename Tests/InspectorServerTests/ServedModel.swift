#if Inspector
    import Foundation
    import PersistentObjects
    import TestSupport

    final class Maker: PersistentObject {
        var name = ""
        @Inverse(\Gadget.maker) var gadgets: [Gadget] = []
    }

    final class Gadget: PersistentObject {
        @Indexed var name = ""
        var price = 0
        var maker: Maker?
    }

    let hostileName = "<img src=x onerror=\"alert('1')\"> & co"

    /// The path of a closed store with a maker and a number of gadgets.
    func makeServedFile(_ file: TemporaryStore, gadgets: Int = 3) throws -> String {
        let store = try file.open(configuration: .init(journal: .rollback))
        try store.withSession { session in
            let maker = Maker()
            maker.name = hostileName
            try session.save(
                (0..<gadgets).map { number in
                    let gadget = Gadget()
                    (gadget.name, gadget.price, gadget.maker) = ("gadget \(number)", number, maker)
                    return gadget
                })
        }
        store.close()
        return file.path
    }
#endif
