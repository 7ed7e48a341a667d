// The values, the errors and the arguments of SQL functions are part of the public interface; nothing else of the engine
// is public.
@_exported public import StoreEngine
