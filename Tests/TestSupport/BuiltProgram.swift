public import Foundation

/// A program from the same build as the tests.
public enum BuiltProgram {
    private final class Anchor {}

    /// Searches the parent folders of the test bundle for a product.
    public static func url(_ name: String) throws -> URL {
        for start in [Bundle.main.executableURL, Bundle(for: Anchor.self).bundleURL].compactMap({ $0 }) {
            var folder = start.resolvingSymlinksInPath()
            while folder.path != "/" {
                folder.deleteLastPathComponent()
                let file = folder.appending(path: name)
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue {
                    return file
                }
            }
        }
        throw CocoaError(.fileNoSuchFile)
    }
}
