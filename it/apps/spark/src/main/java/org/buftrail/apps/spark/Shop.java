package org.buftrail.apps.spark;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.buftrail.apps.driver.Application;
import org.buftrail.apps.driver.Driver;
import org.buftrail.apps.driver.HttpCalls;
import org.buftrail.apps.driver.Probe;
import scala.Tuple2;

/** The application. */
public final class Shop {
  private static final int EXECUTORS = 2;
  private static final int PARTS = 4;

  private Shop() {}

  /**
   * Works until standard input ends. Spark looks for the jars of its executors in {@code jars}.
   *
   * @param args what executors need on their class path beside these jars
   */
  public static void main(String[] args) throws IOException {
    SparkConf configuration =
        new SparkConf()
            .setAppName("shop")
            .setMaster("local-cluster[" + EXECUTORS + ",1,1024]")
            .set("spark.ui.enabled", "false")
            .set("spark.executor.extraClassPath", args[0])
            .set("spark.executor.extraJavaOptions", optionsForExecutors());
    try (JavaSparkContext context = new JavaSparkContext(configuration)) {
      Driver.drive(new Customers(context));
    }
  }

  /** Agents and logs of this JVM, for those of the executors too. */
  private static String optionsForExecutors() {
    return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(option -> option.startsWith("-javaagent:") || option.startsWith("-Xlog:"))
        .collect(joining(" "));
  }

  /** Every sort of job that the shop has. */
  private record Customers(JavaSparkContext context) implements Application {
    @Override
    public String call(int i) {
      return switch (i % PARTS) {
        case 0 -> count(i);
        case 1 -> send(i);
        case 2 -> fetch(i);
        default -> pass("pear," + i);
      };
    }

    /** What executors get from each other. */
    private String count(int i) {
      List<Integer> orders = IntStream.range(0, 5_000 + i).boxed().toList();
      return new TreeMap<>(
              context
                  .parallelize(orders, PARTS)
                  .mapToPair(order -> new Tuple2<>(order % 97, 1L))
                  .repartition(PARTS)
                  .reduceByKey(Long::sum, PARTS)
                  .collectAsMap())
          .toString();
    }

    /** What executors get from the driver, in blocks. */
    private String send(int i) {
      Broadcast<String> catalogue = context.broadcast(HttpCalls.text(3_000_000 + i));
      try {
        return context
            .parallelize(List.of(1, 2, 3, 4), PARTS)
            .map(part -> catalogue.value().hashCode() + part)
            .collect()
            .toString();
      } finally {
        catalogue.destroy();
      }
    }

    /** A result too large for a message, which the driver gets in blocks. */
    private String fetch(int i) {
      return context
          .parallelize(List.of(1, 2), 2)
          .map(part -> HttpCalls.text(1_500_000 + i + part))
          .collect()
          .stream()
          .map(text -> text.length() + " letters, " + text.hashCode())
          .toList()
          .toString();
    }

    private String pass(String order) {
      return context.parallelize(List.of(order), 1).map(OrderCodec::pass).collect().toString();
    }

    @Override
    public void lose(int i) {
      String answer = pass("none");
      if (!answer.equals("[not an order]")) {
        throw new IllegalStateException(answer);
      }
    }

    /** Asks until each executor has had one of the tasks. */
    @Override
    public List<String> everywhere(Probe probe) {
      Map<String, String> answers = new HashMap<>();
      while (answers.size() < EXECUTORS) {
        answers.putAll(
            context
                .parallelize(List.of(1, 2), EXECUTORS)
                .mapToPair(
                    part -> {
                      // Long enough for the other to be given the other task.
                      Thread.sleep(100);
                      return new Tuple2<>(SparkEnv.get().executorId(), probe.ask());
                    })
                .collectAsMap());
      }
      List<String> all = new ArrayList<>(List.of(probe.ask()));
      all.addAll(answers.values());
      return all;
    }
  }
}
