#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Whether the tests run under a sanitizer, in which case some use smaller numbers.
public enum Sanitizer {
    /// Whether AddressSanitizer is active.
    public static let isAddress = has("__asan_init")
    /// Whether ThreadSanitizer is active.
    public static let isThread = has("__tsan_init")
    /// Whether any sanitizer is active.
    public static var isActive: Bool { isAddress || isThread }

    private static func has(_ symbol: String) -> Bool {
        let program = dlopen(nil, RTLD_LAZY)
        defer { if let program { dlclose(program) } }
        return dlsym(program, symbol) != nil
    }
}
