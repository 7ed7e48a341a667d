internal import Foundation

/// The Swift files of a folder, or one file.
struct SwiftFiles {
    /// The paths of the files, starting with the given folder's path, sorted.
    private(set) var paths: [String] = []
    /// The tokens of each file; nil for a file that cannot be read.
    private(set) var tokens: [SwiftTokens?] = []
    /// The files that could not be read.
    private(set) var problems: [any Error] = []

    init(_ folder: String) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) else {
            let problem = FinderSearchError.cannotRead(reason: "there is no such file or folder")
            problems = [FinderSourceError(file: folder, problem: problem)]
            return
        }
        if isFolder.boolValue { findFiles(in: folder) } else { paths = [folder] }
        paths.sort()
        tokens = paths.map { path in
            do { return SwiftTokens(try SwiftFiles.text(path)) } catch {
                problems.append(FinderSourceError(file: path, problem: error))
                return nil
            }
        }
    }

    /// Finds the Swift files in a folder. It does not follow links to folders, because they can form cycles.
    private mutating func findFiles(in folder: String) {
        var folders = [folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder]
        while let folder = folders.popLast() {
            do {
                for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasPrefix(".") {
                    let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
                    switch SwiftFiles.type(path) {
                    case .typeDirectory: folders.append(path)
                    case .typeRegular where name.hasSuffix(".swift"): paths.append(path)
                    case .typeSymbolicLink where name.hasSuffix(".swift"):
                        let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
                        if SwiftFiles.type(target) == .typeRegular { paths.append(path) }
                    default: break
                    }
                }
            } catch {
                let problem = FinderSearchError.cannotRead(reason: error.localizedDescription)
                problems.append(FinderSourceError(file: folder, problem: problem))
            }
        }
    }

    private static func type(_ path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }

    private static func text(_ path: String) throws(FinderSearchError) -> [UInt8] {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw .cannotRead(reason: error.localizedDescription)
        }
        guard String(data: data, encoding: .utf8) != nil else { throw .notUTF8 }
        return Array(data)
    }
}
