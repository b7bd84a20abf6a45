package io.firstcome.systemtests.kit;

import io.firstcome.systemtests.agent.AgentArguments;
import io.firstcome.systemtests.agent.FaultAgent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** The agent's jar, made of the compiled classes of its package. */
public final class AgentJar {

  private final Path file;

  private AgentJar(Path file) {
    this.file = file;
  }

  /** Writes the jar into the folder. */
  public static AgentJar in(Path folder) {
    var file = folder.resolve("fault-agent.jar").toAbsolutePath();
    var packageName = FaultAgent.class.getPackageName().replace('.', '/');
    try (var jar = new JarOutputStream(Files.newOutputStream(file), manifest());
        var classes = Files.newDirectoryStream(root().resolve(packageName), "*.class")) {
      for (var classFile : classes) {
        add(jar, packageName + "/" + classFile.getFileName(), classFile);
      }
      return new AgentJar(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The option of a JVM that runs with the agent. */
  public String option(AgentArguments arguments) {
    return "-javaagent:%s=%s".formatted(file, arguments.text());
  }

  private static Path root() {
    try {
      return Path.of(FaultAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException("no folder of the agent's classes", e);
    }
  }

  private static Manifest manifest() {
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", FaultAgent.class.getName());
    return manifest;
  }

  private static void add(JarOutputStream jar, String name, Path content) throws IOException {
    jar.putNextEntry(new JarEntry(name));
    Files.copy(content, jar);
    jar.closeEntry();
  }
}
