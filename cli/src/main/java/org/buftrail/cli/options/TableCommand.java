package org.buftrail.cli.options;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** A command whose line {@link ArgumentReader} can read. */
public interface TableCommand extends Callable<Integer> {
  /** The options, in the order of the help. */
  List<CommandOption> options();

  /**
   * Takes what is no option.
   *
   * @return whether it is as many as the command needs
   */
  boolean files(List<Path> files);
}
