package org.buftrail.museum;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import javax.tools.ToolProvider;

/** Compiles programs that each have a class path of their own. */
final class SourceFiles {
  private SourceFiles() {}

  /**
   * Compiles one file and what it names.
   *
   * @param root where the files of what it names are
   * @param classes where the class files go
   */
  static void compile(Path source, Path root, String classPath, Path classes) {
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-g",
                "-nowarn",
                "-cp",
                classPath,
                "-sourcepath",
                root.toString(),
                "-d",
                classes.toString(),
                source.toString());
    assertThat(failed).as("exit of the compiler for %s", source).isZero();
  }
}
