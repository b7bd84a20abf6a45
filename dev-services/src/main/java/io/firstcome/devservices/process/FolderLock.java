package io.firstcome.devservices.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The exclusive lock of one JVM on a folder. It is a file lock of the operating system, so it ends
 * with the JVM, also when that is killed; a leftover lock file locks nothing.
 */
public final class FolderLock implements AutoCloseable {

  /** The locked file. It is never deleted, since otherwise two JVMs could hold the lock. */
  public static final String FILE = "lock";

  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /** The lock, or empty if this or another JVM holds it. */
  public static Optional<FolderLock> tryAcquire(Path folder) {
    Path file = Folders.make(folder).resolve(FILE);
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        channel.close();
        return Optional.empty();
      }
      return Optional.of(new FolderLock(channel));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
