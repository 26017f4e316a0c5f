package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Depends on the names of its parameters, as frameworks do: whenever a file {@code ask} is there,
 * what reflection says of them goes to the file {@code names}. Ends with the file {@code stop}.
 */
public final class Named {
  private Named() {}

  /** Asked for its names. */
  abstract static class Endpoint {
    private final String path;

    Endpoint(final String path, int weight) {
      this.path = path + weight;
    }

    int order(ByteBuf body, long customer) {
      return body.readableBytes() + path.length() + (int) customer;
    }

    abstract ByteBuf reply(String greeting);
  }

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Endpoint endpoint =
        new Endpoint("/", 1) {
          @Override
          ByteBuf reply(String greeting) {
            return PooledByteBufAllocator.DEFAULT.directBuffer(greeting.length());
          }
        };
    Files.createFile(Path.of("ready"));
    while (!Files.exists(Path.of("stop"))) {
      ByteBuf reply = endpoint.reply("hello");
      endpoint.order(reply, 7);
      reply.release();
      if (Files.deleteIfExists(Path.of("ask"))) {
        Files.writeString(Path.of("answer"), names().toString());
        Files.move(Path.of("answer"), Path.of("names"));
      }
      Thread.sleep(1);
    }
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>();
    List<Executable> all = new ArrayList<>(List.of(Endpoint.class.getDeclaredMethods()));
    all.addAll(List.of(Endpoint.class.getDeclaredConstructors()));
    for (Executable executable : all) {
      for (Parameter parameter : executable.getParameters()) {
        String modifiers = Modifier.toString(parameter.getModifiers());
        names.add(
            (modifiers.isEmpty() ? "" : modifiers + " ")
                + parameter.getName()
                + (parameter.isNamePresent() ? "" : "?"));
      }
    }
    Collections.sort(names);
    return names;
  }
}
