package org.buftrail.console.engine;

import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Iterator;
import java.util.ServiceLoader;
import org.buftrail.console.output.CommandFailure;
import org.jspecify.annotations.Nullable;

/**
 * Finds engines: on the class path, in the jar that the property {@code buftrail.sql} names, or in
 * one beside the jar that this class is from. Such a jar names in its manifest what else it needs,
 * which lies beside it.
 */
public final class Engines {
  /** The file that holds the engine for SQL. */
  public static final String SQL_JAR = "buftrail-sql.jar";

  private Engines() {}

  /** The engine for SQL; it is of one use. */
  public static SqlEngine sql() throws CommandFailure {
    SqlEngine known = first(ServiceLoader.load(SqlEngine.class, Engines.class.getClassLoader()));
    if (known != null) {
      return known;
    }
    Path jar = beside();
    if (jar == null) {
      throw new CommandFailure(
          "sql needs "
              + SQL_JAR
              + " and DuckDB's driver beside buftrail.jar: the release archive has both in lib/;"
              + " in a clone, mvn package -DskipTests -pl sql -am makes them");
    }
    try {
      // Lives as long as the JVM: the driver's threads load classes until the end.
      @SuppressWarnings("resource")
      URLClassLoader loader =
          new URLClassLoader(new URL[] {jar.toUri().toURL()}, Engines.class.getClassLoader());
      SqlEngine found = first(ServiceLoader.load(SqlEngine.class, loader));
      if (found == null) {
        throw new CommandFailure(jar + " holds no engine; get the one of this version");
      }
      return found;
    } catch (IOException e) {
      throw new CommandFailure(jar + ": " + e.getMessage(), e);
    }
  }

  private static @Nullable SqlEngine first(ServiceLoader<SqlEngine> engines) {
    Iterator<SqlEngine> found = engines.iterator();
    return found.hasNext() ? found.next() : null;
  }

  private static @Nullable Path beside() {
    String named = System.getProperty("buftrail.sql");
    if (named != null && Files.isRegularFile(Path.of(named))) {
      return Path.of(named);
    }
    CodeSource source = Engines.class.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return null;
    }
    try {
      Path jar = Path.of(source.getLocation().toURI()).resolveSibling(SQL_JAR);
      return Files.isRegularFile(jar) ? jar : null;
    } catch (URISyntaxException | IllegalArgumentException e) {
      return null;
    }
  }
}
