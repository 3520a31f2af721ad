"""Python functions behind the work of a stream."""
import threading


class Callbacks:
    """What Python does when the work that was sent to a stream so far is done."""

    def add_callback(self, callback, arg=None):
        """Calls callback(stream, status, arg) then, in a thread of its own. status: 0, or the exception that the work ended with."""
        event = self.record()

        def wait():
            try:
                event.synchronize()
                status = 0
            except RuntimeError as error:
                status = error
            callback(self, status, arg)

        threading.Thread(target=wait, daemon=True).start()

    def async_done(self):
        """An awaitable that then gives the stream. RuntimeError outside of an event loop."""
        import asyncio
        loop = asyncio.get_running_loop()
        future = loop.create_future()

        def finish(status):
            if future.done():  # cancelled
                return
            future.set_exception(status) if status else future.set_result(self)

        self.add_callback(lambda stream, status, arg: loop.call_soon_threadsafe(finish, status))
        return future
