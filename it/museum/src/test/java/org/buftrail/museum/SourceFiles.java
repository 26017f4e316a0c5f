package org.buftrail.museum;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/** Compiles programs that each have a class path of their own. */
final class SourceFiles {
  private SourceFiles() {}

  /**
   * Compiles one file and what it names.
   *
   * @param root where the files of what it names are
   * @param classes where the class files go
   * @param options further ones of the compiler
   */
  static void compile(Path source, Path root, String classPath, Path classes, String... options) {
    List<String> line = new ArrayList<>(List.of("-g", "-nowarn", "-cp", classPath));
    line.addAll(List.of("-sourcepath", root.toString(), "-d", classes.toString()));
    line.addAll(List.of(options));
    line.add(source.toString());
    int failed =
        ToolProvider.getSystemJavaCompiler().run(null, null, null, line.toArray(new String[0]));
    assertThat(failed).as("exit of the compiler for %s", source).isZero();
  }
}
