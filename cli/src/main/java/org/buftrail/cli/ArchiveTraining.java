package org.buftrail.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.buftrail.cli.options.PlainArguments;
import org.buftrail.cli.output.Exit;
import org.buftrail.cli.output.Output;
import org.buftrail.jfr.Recording;

/**
 * {@code rehearse IN... -o OUT}, which help does not list: runs what is often short, so that the
 * launcher can make an archive of the classes that takes.
 */
final class ArchiveTraining implements Callable<Integer> {
  // Archives of this Java and later link all their classes at each start. The parser's are too old
  // for that, and would then be loaded from the jar by whatever names them.
  private static final int LINKING_JAVA = 24;

  private final PlainArguments arguments;

  ArchiveTraining(PlainArguments arguments) {
    this.arguments = arguments;
  }

  @Override
  public Integer call() throws IOException {
    String out = arguments.output() == null ? Output.STANDARD : arguments.output();
    List<List<String>> commands = new ArrayList<>();
    for (Path input : arguments.files()) {
      commands.add(List.of("convert", "-o", out, input.toString()));
      for (Path file : Recording.of(input).files()) {
        commands.add(List.of("convert", "-o", out, file.toString()));
        commands.add(List.of("info", file.toString()));
        if (Runtime.version().feature() < LINKING_JAVA) {
          commands.add(List.of("convert", "--output=" + out, "--stats", file.toString()));
        }
      }
    }
    int exit = Exit.DONE;
    try (PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      for (List<String> command : commands) {
        exit = Math.max(exit, Main.run(command.toArray(new String[0]), nowhere, nowhere));
      }
    }
    return exit;
  }
}
