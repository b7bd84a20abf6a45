package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The append-only file of Redis since its last rewrite, which a test truncates as a power loss
 * would. While Redis runs, only its size may be read.
 */
public final class AppendOnlyFile {

  private static final String DATA = "redis/data";
  private static final Pattern INCREMENTAL =
      Pattern.compile("appendonly\\.aof\\.(\\d+)\\.incr\\.aof");

  /** How a script's writes begin and end. */
  private static final String TRANSACTION = "*1\r\n$5\r\nMULTI\r\n";

  private static final String TRANSACTION_END = "*1\r\n$4\r\nEXEC\r\n";

  private final World world;

  private AppendOnlyFile(World world) {
    this.world = world;
  }

  public static AppendOnlyFile of(World world) {
    return new AppendOnlyFile(world);
  }

  /** In bytes. */
  public long size() {
    try {
      return Files.size(file());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Truncates the file. */
  public void cutTo(long size) {
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      channel.truncate(size);
      channel.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Truncates the file in the middle of the {@code fromEnd}-last transaction that contains the
   * word, and returns the lost content: that transaction and everything after it.
   */
  public String cutInside(String word, int fromEnd) {
    String content = content();
    int begin = content.length();
    for (int i = 0; i < fromEnd; i++) {
      begin = content.lastIndexOf(TRANSACTION, content.lastIndexOf(word, begin - 1));
    }
    int end = content.indexOf(TRANSACTION_END, begin);
    if (begin < 0 || end < 0) {
      throw new AssertionError("no transaction contains " + word);
    }
    cutTo((begin + end) / 2);
    return content.substring(begin);
  }

  /** Deletes all files, including the base file. */
  public void delete() {
    try (Stream<Path> files = Files.list(folder())) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String content() {
    try {
      return Files.readString(file(), ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path folder() {
    return world.folder().resolve(DATA).resolve("appendonlydir");
  }

  private Path file() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      List<Path> parts = files.filter(file -> number(file) > 0).toList();
      return parts.stream()
          .max(Comparator.comparingInt(AppendOnlyFile::number))
          .orElseThrow(() -> new AssertionError("no incremental file among " + parts));
    }
  }

  private static int number(Path file) {
    var name = INCREMENTAL.matcher(file.getFileName().toString());
    return name.matches() ? Integer.parseInt(name.group(1)) : 0;
  }
}
