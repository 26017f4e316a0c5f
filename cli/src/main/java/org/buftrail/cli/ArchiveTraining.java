package org.buftrail.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.buftrail.cli.options.CommandOption;
import org.buftrail.cli.options.TableCommand;
import org.buftrail.cli.options.TextOption;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Output;
import org.buftrail.jfr.Recording;

/**
 * {@code rehearse IN... -o OUT}, which help does not list: runs what is often short, so that the
 * launcher can make an archive of the classes that takes.
 */
final class ArchiveTraining implements TableCommand {
  private final TextOption output = new TextOption("-o --output", "OUT");
  private List<Path> inputs = List.of();

  @Override
  public List<CommandOption> options() {
    return List.of(output);
  }

  @Override
  public boolean files(List<Path> files) {
    inputs = files;
    return !files.isEmpty();
  }

  @Override
  public Integer call() throws IOException {
    String out = Objects.requireNonNullElse(output.value(), Output.STANDARD);
    int exit = Exit.DONE;
    try (PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      for (List<String> command : commands(out)) {
        String[] args = command.toArray(new String[0]);
        // As each short command does first.
        ShortRun.size(args);
        exit = Math.max(exit, Main.run(args, nowhere, nowhere));
      }
    }
    return exit;
  }

  private List<List<String>> commands(String out) throws IOException {
    List<List<String>> commands = new ArrayList<>();
    for (Path input : inputs) {
      commands.add(List.of("convert", "-o", out, input.toString()));
      for (Path path : Recording.matching(List.of(input)).files()) {
        String file = path.toString();
        commands.add(List.of("convert", "-o", out, file));
        commands.add(List.of("convert", "--all", "--threads", "--stats", "-o", out, file));
        for (String format : List.of("html", "collapsed", "pprof")) {
          commands.add(List.of("convert", "--format", format, "-o", out, file));
        }
        commands.add(List.of("info", file));
        commands.add(List.of("report", file));
        commands.add(List.of("diff", file, file));
        commands.add(List.of("convert", "-o", out, file));
        commands.add(List.of("check", out));
      }
    }
    return commands;
  }
}
