package io.firstcome.systemtests.kit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * The service as another release: a copy of its jar in which Lua scripts of the Redis adapter have
 * one more comment line. They behave the same and have other digests.
 */
public final class OtherRelease {

  private static final String ADAPTER = "firstcome-adapter-redis-";
  private static final String PACKED_ADAPTER = "BOOT-INF/lib/" + ADAPTER;
  private static final byte[] COMMENT = "\n-- Of another release.\n".getBytes(UTF_8);

  private OtherRelease() {}

  /**
   * Writes the copy into the folder.
   *
   * @param jar with all libraries in it, or in a folder beside it
   * @param scripts names of the files to change
   */
  static Path in(Path folder, Path jar, Set<String> scripts) {
    Path libraries = jar.resolveSibling("lib");
    return Files.isDirectory(libraries)
        ? ofUnpacked(folder, jar, libraries, scripts)
        : ofPacked(folder, jar, scripts);
  }

  private static Path ofUnpacked(Path folder, Path jar, Path libraries, Set<String> scripts) {
    Path copies = folder.resolve(libraries.getFileName());
    Path copy = folder.resolve(jar.getFileName());
    try (DirectoryStream<Path> all = Files.newDirectoryStream(libraries)) {
      Files.createDirectories(copies);
      Files.createLink(copy, jar);
      Path named = jar.resolveSibling("libraries.jar");
      if (Files.exists(named)) {
        Files.createSymbolicLink(folder.resolve(named.getFileName()), named.toRealPath());
      }
      for (Path library : all) {
        Path target = copies.resolve(library.getFileName());
        if (library.getFileName().toString().startsWith(ADAPTER)) {
          Files.write(target, withChanged(Files.readAllBytes(library), scripts));
        } else {
          Files.createLink(target, library);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return copy;
  }

  private static Path ofPacked(Path folder, Path jar, Set<String> scripts) {
    Path copy = folder.resolve(jar.getFileName());
    try (ZipFile from = new ZipFile(jar.toFile())) {
      Files.createDirectories(folder);
      try (ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(copy))) {
        Enumeration<? extends ZipEntry> entries = from.entries();
        while (entries.hasMoreElements()) {
          ZipEntry entry = entries.nextElement();
          byte[] content = read(from.getInputStream(entry));
          boolean isAdapter = entry.getName().startsWith(PACKED_ADAPTER);
          write(to, entry, isAdapter ? withChanged(content, scripts) : content);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return copy;
  }

  private static byte[] withChanged(byte[] jar, Set<String> scripts) throws IOException {
    ByteArrayOutputStream changed = new ByteArrayOutputStream();
    int found = 0;
    try (ZipInputStream from = new ZipInputStream(new ByteArrayInputStream(jar));
        ZipOutputStream to = new ZipOutputStream(changed)) {
      for (ZipEntry entry = from.getNextEntry(); entry != null; entry = from.getNextEntry()) {
        byte[] content = from.readAllBytes();
        to.putNextEntry(new ZipEntry(entry.getName()));
        to.write(content);
        if (scripts.contains(Path.of(entry.getName()).getFileName().toString())) {
          to.write(COMMENT);
          found++;
        }
        to.closeEntry();
      }
    }
    if (found != scripts.size()) {
      throw new IllegalStateException("%d of the scripts %s in the jar".formatted(found, scripts));
    }
    return changed.toByteArray();
  }

  /** A jar within the jar must not be compressed, so its size and checksum precede its content. */
  private static void write(ZipOutputStream to, ZipEntry like, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry(like.getName());
    entry.setMethod(like.getMethod());
    if (like.getMethod() == ZipEntry.STORED) {
      CRC32 sum = new CRC32();
      sum.update(content);
      entry.setSize(content.length);
      entry.setCrc(sum.getValue());
    }
    to.putNextEntry(entry);
    to.write(content);
    to.closeEntry();
  }

  private static byte[] read(InputStream content) throws IOException {
    try (content) {
      return content.readAllBytes();
    }
  }
}
